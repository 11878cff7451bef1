#pragma once

#include "baselines/function_hasher.hpp"
#include "baselines/kernel_features.hpp"

/// Supervised discrete hashing (docs/methods.md C.15; Shen, Shen, Liu, Shen, CVPR 2015).
namespace structhash {

struct SdhParams {
  Index bits = 64;
  double penalty = 1.0;      // lambda
  double attachment = 1e-5;  // nu
  Index rounds = 5;
  Index passes = 10;
  FeatureParams features{.functions = Functions::kernel, .anchors = 1000};
};
inline constexpr auto kSdhOptions = std::tuple_cat(
    std::tuple{bits_option(&SdhParams::bits),
               Option{"penalty", &SdhParams::penalty, above(0),
                      "Penalty on the classifier from codes to labels"},
               Option{"attachment", &SdhParams::attachment, at_least(0),
                      "Weight that pulls the codes towards the regression on the features"},
               Option{"rounds", &SdhParams::rounds, at_least(1),
                      "Rounds of classifier, codes and regression"},
               Option{"passes", &SdhParams::passes, at_least(1),
                      "Maximum number of passes over the bits within a round"}},
    ridged_options(&SdhParams::features));

HashModel fit_sdh(const TrainingSet& data, const SdhParams& params, const FitContext& context);

}  // namespace structhash
