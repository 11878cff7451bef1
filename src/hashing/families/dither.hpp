#pragma once

#include "core/shards.hpp"
#include "data/preprocess.hpp"
#include "hashing/families/response_space.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/data/dataset.hpp"

/// Randomness in hash functions: rows near the boundary of a bit get values of their own, and are
/// no longer each other's nearest neighbours (docs/adr/0021).  An option of every method whose
/// functions are linear in whitened features.
namespace structhash {

struct Dither {
  double size = 0.0;   // of the random function added to a learned one, in the end
  double bits = 64.0;  // it grows from 0 to its size over so many bits: the first carry the most
  Seed seed;
};

/// Dither of this size.  It grows over
///
///   bits = 7 (1 / share - 1)      share: of pairs of rows that are relevant to each other
///
/// 63 for ten classes of the same size: the more bits a class has, the less each of them matters.
Dither model_dither(double size, const Labels& labels, const Shards& shards, Seed seed);

/// Share of the pairs of rows that are relevant to each other; of many rows, of pairs with a sample
/// of them.  Above 0.
double related_share(const Labels& labels, const Shards& shards);

/// Adds to every function over z, whose columns do not correlate, one with a random direction:
///
///   f_b(z) += s_b (rms f_b / rms g_b) g_b(z),   s_b = size min(1, b / bits),   b = 0, 1, ...
void add_dither(LinearFunctions& functions, const Vector<double>& mean_squares,
                const Dither& dither);

/// The same for functions of principal components of these variances: z are the whitened ones.
void add_dither(LinearFunctions& functions, const Vector<double>& variances,
                const Whitening& whitening, const Dither& dither);

}  // namespace structhash
