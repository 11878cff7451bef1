#pragma once

#include <memory>

#include "baselines/kernel_features.hpp"
#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// Locality-sensitive hashing by random hyperplanes (docs/methods.md C.1; Charikar, STOC 2002).
namespace structhash {

struct LshParams {
  Index bits = 64;     // B >= 1
  bool centre = true;  // put the hyperplanes through the mean of the training data
  FeatureOptions features;
};

void check(const LshParams& params);

HashModel fit_lsh(const TrainingSet& data, const LshParams& params, const FitContext& context);

/// Options: centre, for linear functions; functions and those of kernel functions.
std::unique_ptr<Hasher> make_lsh(const MethodOptions& options);

}  // namespace structhash
