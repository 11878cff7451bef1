#pragma once

#include <memory>

#include "baselines/kernel_features.hpp"

/// Binary reconstructive embeddings, supervised (docs/methods.md C.8; Kulis, Darrell, NIPS 2009).
namespace structhash {

struct BresParams {
  Index bits = 64;
  Index points = 1000;      // training rows used, at most
  Index supports = 20;      // of every bit
  double partners = 0.05;   // pairs of every point, as a share of the points
  Index sweeps = 10;        // over all bits and supports, at most
  double tolerance = 1e-3;  // relative gain of a sweep below which it ends
  FeatureOptions features;
};
void check(const BresParams& params);

/// Learns from classes and from multi-labels.
HashModel fit_bres(const TrainingSet& data, const BresParams& params, const FitContext& context);

/// Options: points, supports, partners, sweeps; functions, anchors, width.
std::unique_ptr<Hasher> make_bres(const MethodOptions& options);

}  // namespace structhash
