#pragma once

#include <memory>

#include "baselines/kernel_features.hpp"

/// Sequential projections that correct each other's mistakes (docs/methods.md C.10; Wang, Kumar,
/// Chang, TPAMI 2012).
namespace structhash {

struct SplhParams {
  Index bits = 64;
  double labelled_weight = 1e-3;  // eta >= 0: of the labelled pairs beside the variance
  double step = 20.0;             // > 0: of the corrections of pairs that a bit got wrong
  Index labelled = 2000;          // rows whose pairs are used, at most; labelled^2 floats
  double ridge = 0.02;            // > 0: where whitening of the features fades out
  Index components = 256;         // principal components learned on, at most
  FeatureOptions features;
};
void check(const SplhParams& params);

/// Learns from classes and from multi-labels.
HashModel fit_splh(const TrainingSet& data, const SplhParams& params, const FitContext& context);

/// Options: labelled-weight, step, labelled, ridge, components; functions, anchors, width.
std::unique_ptr<Hasher> make_splh(const MethodOptions& options);

}  // namespace structhash
