#pragma once

#include <memory>

#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// Locality-sensitive hashing by random hyperplanes (docs/methods.md C.1; Charikar, STOC 2002).
namespace structhash {

struct LshParams {
  Index bits = 64;     // B >= 1
  bool centre = true;  // put the hyperplanes through the mean of the training data
};

void check(const LshParams& params);

HashModel fit_lsh(const TrainingSet& data, const LshParams& params, const FitContext& context);

/// Options: centre.
std::unique_ptr<Hasher> make_lsh(const MethodOptions& options);

}  // namespace structhash
