#pragma once

#include "hashing/families/dither.hpp"
#include "hashing/families/response_space.hpp"
#include "hashing/families/smooth.hpp"
#include "hashing/families/stump.hpp"
#include "hashing/hash_family.hpp"

/// Linear functions, Eq. (17), of whitened features: the raw ones or responses to anchors
/// (docs/methods.md A.9).
namespace structhash {

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
  /// The whitened training rows, which bit functions are linear in.
  const HalfMatrix& features() const { return z_; }

 private:
  LinearFunction over_z(const StumpFunction& stump) const;

  SmoothParams smooth_;
  SmoothStarts starts_;
  std::optional<RadialBasis> basis_;  // of kernel functions
  AffineMap map_;
  HalfMatrix z_;
  Vector<double> mean_squares_;       // of the columns of z
  std::optional<StumpFamily> stump_;  // of the centred features, where bits also start from stumps
};

/// nullptr for other families.
const WhitenedFamily* as_whitened(const HashFamily& family);

/// The encoder of learned bits; families without whitened features have no dither.
Encoder assemble(const HashFamily& family, std::span<const LearnedBit> bits, const Dither& dither);

}  // namespace structhash
