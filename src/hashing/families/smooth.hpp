#pragma once

#include <optional>

#include "core/half_matrix.hpp"
#include "hashing/families/defaults.hpp"
#include "hashing/hash_family.hpp"
#include "structhash/core/parallel.hpp"

/// Linear functions over given features, fitted by spectral relaxation and L-BFGS (A.9).
namespace structhash {

struct SmoothParams {
  /// rho >= 0: l2 penalty on the direction, relative to the objective
  double penalty = kLinearDefaults.penalty;
  int random_starts = 0;     // random directions tried beside the spectral one
  bool stump_start = false;  // also try the best decision stump on one feature
  /// power steps towards the top eigenvector; 0: one more random direction
  int spectral_steps = kLinearDefaults.spectral_steps;
  int max_iterations = kLinearDefaults.iterations;  // of L-BFGS; 0: the best start as it is
  double tolerance = 1e-4;                          // relative gradient at which L-BFGS stops
};
void check(const SmoothParams& params);

/// Where a search starts, beside random directions.
struct SmoothStarts {
  /// Per feature 1 / sqrt(variance), for a spectral direction of unit variance rather than unit
  /// length; empty where they are the same.
  Vector<double> scales{};
  std::optional<LinearFunction> given{};  // a further function over z
};

/// The best bit function found for max_v F(sign(Z v + offset)).
///
///   surrogate:  max_v  F(tanh(Z v)) - rho/2 F_0 ||v||^2,    F_0 the surrogate at the start
///
/// z: rows x features, of about unit variance; a constant column for the offset is implied.
LearnedBit fit_smooth_bit(const HalfMatrix& z, const PairForm& form, const SmoothParams& params,
                          Seed seed, Threads threads, const SmoothStarts& starts = {});

/// The bit of every row of z, exactly as fit_smooth_bit computes it.
std::vector<std::int8_t> smooth_signs(const HalfMatrix& z, const PairForm& form,
                                      const LinearFunction& function, Threads threads);

}  // namespace structhash
