#pragma once

#include "core/linalg.hpp"
#include "core/shards.hpp"
#include "data/preprocess.hpp"
#include "hashing/hash_family.hpp"

/// Random functions on top of learned ones (docs/adr/0021).
namespace structhash {

/// Mean of z_j^2 over the rows of all shards.
Vector<double> mean_squares(const MatrixView& z, const Shards& shards);

/// Adds to every function over z, whose columns do not correlate, one with a random direction:
///
///   f_b(z) += s_b (rms f_b / rms g_b) g_b(z),   s_b = size min(1, b / bits),   b = 0, 1, ...
void add_dither(LinearFunctions& functions, const Vector<double>& mean_squares,
                const Dither& dither);

}  // namespace structhash
