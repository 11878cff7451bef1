#pragma once

#include "baselines/function_hasher.hpp"
#include "baselines/kernel_features.hpp"

/// Iterative quantisation of principal components (docs/methods.md C.6; Gong, Lazebnik, CVPR 2011).
namespace structhash {

struct ItqParams {
  Index bits = 64;
  Index iterations = 50;
  FeatureParams features{.width = 1.0};
};
inline constexpr auto kItqOptions =
    std::tuple_cat(std::tuple{bits_option(&ItqParams::bits),
                              Option{"iterations", &ItqParams::iterations, at_least(0),
                                     "Maximum number of iterations of the rotation"}},
                   feature_options(&ItqParams::features));

/// With more bits than components, the components are padded with zeros before the rotation.
HashModel fit_itq(const TrainingSet& data, const ItqParams& params, const FitContext& context);

}  // namespace structhash
