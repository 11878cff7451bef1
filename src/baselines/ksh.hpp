#pragma once

#include <memory>

#include "baselines/kernel_features.hpp"

/// Supervised hashing with kernels (docs/methods.md C.12; Liu, Wang, Ji, Jiang, Chang, CVPR 2012).
namespace structhash {

struct KshParams {
  Index bits = 64;
  double ridge = 1e-5;    // > 0: added to the covariance of the features, of unit spread
  Index iterations = 50;  // of L-BFGS per bit, at most; 0: the spectral solution as it is
  FeatureOptions features{.functions = "kernel", .anchors = 300, .width = 1.0};
};
void check(const KshParams& params);

/// Learns from classes and from multi-labels.  Never holds a matrix of rows x rows.
HashModel fit_ksh(const TrainingSet& data, const KshParams& params, const FitContext& context);

/// Options: ridge, iterations; functions, anchors, width.
std::unique_ptr<Hasher> make_ksh(const MethodOptions& options);

}  // namespace structhash
