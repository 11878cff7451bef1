#pragma once

#include <memory>

#include "baselines/kernel_features.hpp"

/// ITQ on the canonical correlations of features and labels (docs/methods.md C.7; Gong, Lazebnik,
/// Gordo, Perronnin, TPAMI 2013).
namespace structhash {

struct CcaItqParams {
  Index bits = 64;
  double ridge = 1e-3;    // > 0: added to both covariances; features have unit spread
  Index iterations = 50;  // of the rotation, at most
  FeatureOptions features;
};
void check(const CcaItqParams& params);

/// Learns from classes and from multi-labels.  There are at most as many directions as labels; the
/// rotation spreads them over all bits.
HashModel fit_cca_itq(const TrainingSet& data, const CcaItqParams& params,
                      const FitContext& context);

/// Options: ridge, iterations; functions, anchors, width.
std::unique_ptr<Hasher> make_cca_itq(const MethodOptions& options);

}  // namespace structhash
