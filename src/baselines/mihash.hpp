#pragma once

#include "baselines/function_hasher.hpp"
#include "baselines/kernel_features.hpp"

/// One layer trained to make Hamming distance informative about relevance (docs/methods.md C.18;
/// Cakir, He, Bargal, Sclaroff, ICCV 2017).
namespace structhash {

struct MihashParams {
  Index bits = 64;
  Index bins = 16;
  Index batch = 200;
  Index epochs = 100;
  double rate = 0.2;
  double slope = 2.0;
  double decay = 0.1;
  FeatureParams features{.functions = Functions::kernel, .anchors = 1000, .ridge = 0.01};
};
inline constexpr auto kMihashOptions = std::tuple_cat(
    std::tuple{
        bits_option(&MihashParams::bits),
        Option{"bins", &MihashParams::bins, at_least(2), "Bins of the histograms of distances"},
        Option{"batch", &MihashParams::batch, at_least(2), "Rows per batch"},
        Option{"epochs", &MihashParams::epochs, at_least(1), "Epochs over the training rows"},
        Option{"rate", &MihashParams::rate, above(0),
               "Initial learning rate; falls to zero along a cosine"},
        Option{"slope", &MihashParams::slope, above(0),
               "Slope of the sigmoid, for values of unit variance"},
        Option{"decay", &MihashParams::decay, at_least(0),
               "Weight decay, relative to the learning rate"}},
    ridged_options(&MihashParams::features));

/// Mean mutual information, in bits, of distance and relevance over the rows of one batch as
/// queries, and its derivative by phi (rows x bits, in -1..1).  Rows without a related or without
/// an unrelated one in the batch are left out.
///
///   I(D; C) = H(D) - p+ H(D | +) - p- H(D | -),   D = (B - phi_i . phi_j) / 2
double mutual_information(const Matrix<float>& phi, const Matrix<float>& related, Index bins,
                          Matrix<float>& gradient);

HashModel fit_mihash(const TrainingSet& data, const MihashParams& params,
                     const FitContext& context);

}  // namespace structhash
