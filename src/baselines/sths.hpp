#pragma once

#include <memory>

#include "baselines/kernel_features.hpp"

/// Supervised self-taught hashing: spectral codes of a label graph, then one classifier per bit
/// (docs/methods.md C.9; Zhang, Wang, Cai, Lu, SIGIR 2010).
namespace structhash {

struct SthsParams {
  Index bits = 64;         // fewer than training rows
  Index neighbours = 25;   // of every row, within its class
  double trade_off = 1.0;  // C > 0 of the support vector machines
  FeatureOptions features;
};
void check(const SthsParams& params);

/// Throws Errc::usage when there are fewer eigenvectors than bits: at least bits + 1 rows.
HashModel fit_sths(const TrainingSet& data, const SthsParams& params, const FitContext& context);

/// Options: neighbours, trade-off; functions, anchors, width.
std::unique_ptr<Hasher> make_sths(const MethodOptions& options);

}  // namespace structhash
