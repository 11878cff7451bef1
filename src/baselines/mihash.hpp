#pragma once

#include <memory>

#include "baselines/kernel_features.hpp"

/// One layer trained to make Hamming distance informative about relevance (docs/methods.md C.18;
/// Cakir, He, Bargal, Sclaroff, ICCV 2017).
namespace structhash {

struct MihashParams {
  Index bits = 64;
  Index bins = 16;      // >= 2: of the histograms of distances
  Index batch = 200;    // rows per step
  Index epochs = 100;   // over the training rows
  double rate = 0.2;    // > 0: of the first steps; falls to zero along a cosine
  double slope = 2.0;   // > 0: of the sigmoid, on values of unit variance
  double decay = 0.1;   // >= 0: share of the weights that a step of rate 1 would take away
  double ridge = 1e-2;  // > 0: where whitening of the features fades out
  FeatureOptions features{.functions = "kernel", .anchors = 1000, .width = 0.25};
};
void check(const MihashParams& params);

/// Mean mutual information, in bits, of distance and relevance over the rows of one batch as
/// queries, and its derivative by phi (rows x bits, in -1..1).  Rows without a related or without
/// an unrelated one in the batch are left out.
///
///   I(D; C) = H(D) - p+ H(D | +) - p- H(D | -),   D = (B - phi_i . phi_j) / 2
double mutual_information(const Matrix<float>& phi, const Matrix<float>& related, Index bins,
                          Matrix<float>& gradient);

/// Learns from classes and from multi-labels.
HashModel fit_mihash(const TrainingSet& data, const MihashParams& params,
                     const FitContext& context);

/// Options: bins, batch, epochs, rate, slope, decay, ridge; functions, anchors, width.
std::unique_ptr<Hasher> make_mihash(const MethodOptions& options);

}  // namespace structhash
