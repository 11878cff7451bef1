#pragma once

#include "baselines/function_hasher.hpp"
#include "baselines/kernel_features.hpp"

/// ITQ on the canonical correlations of features and labels (docs/methods.md C.7; Gong, Lazebnik,
/// Gordo, Perronnin, TPAMI 2013).
namespace structhash {

struct CcaItqParams {
  Index bits = 64;
  Index iterations = 50;
  FeatureParams features{};
};
inline constexpr auto kCcaItqOptions =
    std::tuple_cat(std::tuple{bits_option(&CcaItqParams::bits),
                              Option{"iterations", &CcaItqParams::iterations, at_least(0),
                                     "Maximum number of iterations of the rotation"}},
                   ridged_options(&CcaItqParams::features));

/// There are at most as many directions as labels; the rotation spreads them over all bits.
HashModel fit_cca_itq(const TrainingSet& data, const CcaItqParams& params,
                      const FitContext& context);

}  // namespace structhash
