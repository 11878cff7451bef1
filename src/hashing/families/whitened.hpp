#pragma once

#include "hashing/families/response_space.hpp"
#include "hashing/families/smooth.hpp"
#include "hashing/hash_family.hpp"

/// Linear functions, Eq. (17), of whitened features: the raw ones or responses to anchors
/// (docs/methods.md A.9).
namespace structhash {

/// Randomness in hash functions: rows near the boundary of a bit get values of their own, and are
/// no longer each other's nearest neighbours (docs/adr/0021).
struct Dither {
  double size = 0.0;   // of the random function added to a learned one, in the end
  double bits = 64.0;  // it grows from 0 to its size over so many bits: the first carry the most
  Seed seed;
};

class WhitenedFamily final : public HashFamily {
 public:
  /// Keeps the whitened features, not the space.
  WhitenedFamily(const ResponseSpace& space, const Whitening& whitening, const SmoothParams& smooth,
                 Threads threads);

  LearnedBit best(const PairForm& form, Seed seed, Threads threads) const override;
  Encoder assemble(std::span<const LearnedBit> bits) const override { return assemble(bits, {}); }
  Encoder assemble(std::span<const LearnedBit> bits, const Dither& dither) const;
  /// The bit of every training row, of a bit function that this family found before.
  std::vector<std::int8_t> signs(const HashFunction& function, const PairForm& form,
                                 Threads threads) const;

 private:
  SmoothParams smooth_;
  std::optional<RadialBasis> basis_;  // of kernel functions
  AffineMap map_;
  Matrix<float> z_;
  Vector<double> mean_squares_;  // of the columns of z
};

/// nullptr for other families.
const WhitenedFamily* as_whitened(const HashFamily& family);

/// The encoder of learned bits; families without whitened features have no dither.
Encoder assemble(const HashFamily& family, std::span<const LearnedBit> bits, const Dither& dither);

/// Mean of z_j^2 over the rows of all shards.
Vector<double> mean_squares(const MatrixView& z, const Shards& shards);

/// Adds to every function over z, whose columns do not correlate, one with a random direction:
///
///   f_b(z) += s_b (rms f_b / rms g_b) g_b(z),   s_b = size min(1, b / bits),   b = 0, 1, ...
void add_dither(LinearFunctions& functions, const Vector<double>& mean_squares,
                const Dither& dither);

}  // namespace structhash
