#pragma once

#include "baselines/function_hasher.hpp"

/// Spectral hashing (docs/methods.md C.2; Weiss, Torralba, Fergus, NIPS 2008).
namespace structhash {

struct SphParams {
  Index bits = 64;
};
inline constexpr std::tuple kSphOptions{bits_option(&SphParams::bits)};

HashModel fit_sph(const TrainingSet& data, const SphParams& params, const FitContext& context);

}  // namespace structhash
