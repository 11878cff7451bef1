#pragma once

#include "baselines/function_hasher.hpp"
#include "baselines/kernel_features.hpp"

/// Column sampling based discrete supervised hashing (docs/methods.md C.17; Kang, Li, Zhou, AAAI
/// 2016).
namespace structhash {

struct CosdishParams {
  Index bits = 64;
  Index rounds = 10;
  Index passes = 3;
  Index restarts = 4;
  FeatureParams features{.functions = Functions::kernel, .anchors = 1000};
};
inline constexpr auto kCosdishOptions =
    std::tuple_cat(std::tuple{bits_option(&CosdishParams::bits),
                              Option{"rounds", &CosdishParams::rounds, at_least(1),
                                     "Rounds, each with a new sample of columns"},
                              Option{"passes", &CosdishParams::passes, at_least(1),
                                     "Passes over the bits within a round"},
                              Option{"restarts", &CosdishParams::restarts, at_least(0),
                                     "Random restarts of the coordinate descent on a bit"}},
                   ridged_options(&CosdishParams::features));

HashModel fit_cosdish(const TrainingSet& data, const CosdishParams& params,
                      const FitContext& context);

}  // namespace structhash
