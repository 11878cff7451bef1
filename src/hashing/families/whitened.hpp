#pragma once

#include "hashing/families/dither.hpp"
#include "hashing/families/response_space.hpp"
#include "hashing/families/smooth.hpp"
#include "hashing/families/stump.hpp"
#include "hashing/hash_family.hpp"

/// Linear functions, Eq. (17), of whitened features: the raw ones or responses to anchors
/// (docs/methods.md A.9).
namespace structhash {

/// The features of rows of one kind, and how they are whitened.
struct View {
  const ResponseSpace& space;
  Whitening whitening;
};

class WhitenedFamily final : public HashFamily {
 public:
  /// Rows of one kind.  Keeps the whitened features, not the space.
  WhitenedFamily(const ResponseSpace& space, const Whitening& whitening, const SmoothParams& smooth,
                 Threads threads)
      : WhitenedFamily({{space, whitening}}, smooth, threads) {}
  /// Rows of several kinds, those of a view after those of the one before.  A bit is one function
  /// for every view, over features of its own: z is block diagonal (docs/adr/0033).
  WhitenedFamily(const std::vector<View>& views, const SmoothParams& smooth, Threads threads);

  LearnedBit best(const PairForm& form, Seed seed, Threads threads) const override;
  Encoder assemble(std::span<const LearnedBit> bits) const override { return assemble(bits, {}); }
  /// The encoder of the rows of one view.
  Encoder assemble(std::span<const LearnedBit> bits, const Dither& dither, Index view = 0) const;
  /// The bit of every training row, of a bit function that this family found before.
  std::vector<std::int8_t> signs(const HashFunction& function, const PairForm& form,
                                 Threads threads) const;
  /// The whitened training rows, which bit functions are linear in.
  const HalfMatrix& features() const { return z_; }

 private:
  LinearFunction over_z(const StumpFunction& stump) const;

  /// How the encoder of a view is made from functions of its columns of z.
  struct Folding {
    std::optional<RadialBasis> basis;  // of kernel functions
    AffineMap map;
    Vector<double> mean_squares;  // of the columns of z
  };

  SmoothParams smooth_;
  SmoothStarts starts_;
  std::vector<Folding> views_;
  HalfMatrix z_;
  std::optional<StumpFamily> stump_;  // of the centred features, where bits also start from stumps
};

/// nullptr for other families.
const WhitenedFamily* as_whitened(const HashFamily& family);

/// The encoder of learned bits; families without whitened features have no dither, and one view.
Encoder assemble(const HashFamily& family, std::span<const LearnedBit> bits, const Dither& dither,
                 Index view = 0);

}  // namespace structhash
