#pragma once

#include "baselines/function_hasher.hpp"
#include "baselines/kernel_features.hpp"

/// Supervised hashing with kernels (docs/methods.md C.12; Liu, Wang, Ji, Jiang, Chang, CVPR 2012).
namespace structhash {

struct KshParams {
  Index bits = 64;
  Index iterations = 50;
  FeatureParams features{.functions = Functions::kernel, .anchors = 300};
};
inline constexpr auto kKshOptions = std::tuple_cat(
    std::tuple{
        bits_option(&KshParams::bits),
        Option{"iterations", &KshParams::iterations, at_least(0),
               "Maximum number of L-BFGS iterations per bit; 0: the spectral solution alone"}},
    ridged_options(&KshParams::features));

/// Never holds a matrix of rows x rows.
HashModel fit_ksh(const TrainingSet& data, const KshParams& params, const FitContext& context);

}  // namespace structhash
