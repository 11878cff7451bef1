#pragma once

#include <memory>

#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// Spectral hashing (docs/methods.md C.2; Weiss, Torralba, Fergus, NIPS 2008).
namespace structhash {

struct SphParams {
  Index bits = 64;  // B >= 1
};

void check(const SphParams& params);

HashModel fit_sph(const TrainingSet& data, const SphParams& params, const FitContext& context);

/// No options.
std::unique_ptr<Hasher> make_sph(const MethodOptions& options);

}  // namespace structhash
