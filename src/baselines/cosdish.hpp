#pragma once

#include <memory>

#include "baselines/kernel_features.hpp"

/// Column sampling based discrete supervised hashing (docs/methods.md C.17; Kang, Li, Zhou, AAAI
/// 2016).
namespace structhash {

struct CosdishParams {
  Index bits = 64;
  Index rounds = 10;    // each with a new sample of columns
  Index passes = 3;     // over the bits within a round
  Index restarts = 4;   // of the coordinate descent on a bit, beside its present signs
  double ridge = 1e-6;  // > 0: of the regression on the features, of unit spread
  FeatureOptions features{.functions = "kernel", .anchors = 1000, .width = 0.35};
};
void check(const CosdishParams& params);

/// Learns from classes and from multi-labels.
HashModel fit_cosdish(const TrainingSet& data, const CosdishParams& params,
                      const FitContext& context);

/// Options: rounds, passes, restarts, ridge; functions, anchors, width.
std::unique_ptr<Hasher> make_cosdish(const MethodOptions& options);

}  // namespace structhash
