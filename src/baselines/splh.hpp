#pragma once

#include "baselines/function_hasher.hpp"
#include "baselines/kernel_features.hpp"

/// Projections fitted one after another, each to the errors of the previous ones (docs/methods.md
/// C.10; Wang, Kumar, Chang, TPAMI 2012).
namespace structhash {

struct SplhParams {
  Index bits = 64;
  double labelled_weight = 1e-3;  // eta
  double step = 20.0;
  Index labelled = 2000;  // costs labelled^2 floats
  Index components = 256;
  FeatureParams features{.ridge = 0.02};
};
inline constexpr auto kSplhOptions =
    std::tuple_cat(std::tuple{bits_option(&SplhParams::bits),
                              Option{"labelled-weight", &SplhParams::labelled_weight, at_least(0),
                                     "Weight of the labelled pairs relative to the variance"},
                              Option{"step", &SplhParams::step, above(0),
                                     "Step size of the corrections to pairs that a bit got wrong"},
                              Option{"labelled", &SplhParams::labelled, at_least(2),
                                     "Maximum number of rows whose pairs are used"},
                              Option{"components", &SplhParams::components, at_least(1),
                                     "Maximum number of principal components"}},
                   ridged_options(&SplhParams::features));

HashModel fit_splh(const TrainingSet& data, const SplhParams& params, const FitContext& context);

}  // namespace structhash
