#pragma once

#include <memory>

#include "baselines/kernel_features.hpp"

/// Supervised discrete hashing (docs/methods.md C.15; Shen, Shen, Liu, Shen, CVPR 2015).
namespace structhash {

struct SdhParams {
  Index bits = 64;
  double penalty = 1.0;      // lambda > 0: of the classifier on the codes
  double attachment = 1e-5;  // nu >= 0: pulls the codes towards what the features can give
  double ridge = 1e-6;       // > 0: of the regression on the features, of unit spread
  Index rounds = 5;          // of classifier, codes, regression
  Index passes = 10;         // over the bits within a round, at most
  FeatureOptions features{.functions = "kernel", .anchors = 1000, .width = 0.35};
};
void check(const SdhParams& params);

/// Learns from classes and from multi-labels.
HashModel fit_sdh(const TrainingSet& data, const SdhParams& params, const FitContext& context);

/// Options: penalty, attachment, ridge, rounds, passes; functions, anchors, width.
std::unique_ptr<Hasher> make_sdh(const MethodOptions& options);

}  // namespace structhash
