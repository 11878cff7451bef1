#pragma once

#include "baselines/function_hasher.hpp"
#include "baselines/kernel_features.hpp"

/// Locality-sensitive hashing by random hyperplanes (docs/methods.md C.1; Charikar, STOC 2002).
namespace structhash {

struct LshParams {
  Index bits = 64;     // B
  bool centre = true;  // kernel features are always centred
  FeatureParams features{.width = 1.0};
};
inline constexpr auto kLshOptions =
    std::tuple_cat(std::tuple{bits_option(&LshParams::bits),
                              Option{"centre", &LshParams::centre, Flag{},
                                     "Put the hyperplanes through the mean of the training rows",
                                     kLinearFunctions}},
                   feature_options(&LshParams::features));

HashModel fit_lsh(const TrainingSet& data, const LshParams& params, const FitContext& context);

}  // namespace structhash
