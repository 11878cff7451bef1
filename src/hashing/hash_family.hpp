#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "hashing/pair_form.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/hashing/encoder.hpp"

/// Columns of the linear programme: which one-bit function separates these weighted pairs best?
namespace structhash {

/// One bit over the features a family was built on: [ direction . z + offset > 0 ].
struct LinearFunction {
  Vector<double> direction;
  double offset = 0.0;
};

/// One bit of the raw features: [ x(column) > threshold ].
struct StumpFunction {
  Index column = 0;
  float threshold = 0.0F;
};

/// One bit of the raw features: [ sum of the leaves that x reaches > 0 ], summed in float in order.
struct TreeFunction {
  TreeTable trees;
};

using HashFunction = std::variant<LinearFunction, StumpFunction, TreeFunction>;

struct LearnedBit {
  HashFunction function;
  std::vector<std::int8_t> signs;  // +1 or -1 for every training row
  double edge = 0.0;               // F(signs): the left-hand side of (12b)
};

/// Randomness in functions: rows near the boundary of a bit get values of their own, and are no
/// longer each other's nearest neighbours (docs/adr/0021).
struct Dither {
  double size = 0.0;   // of the random function beside a learned one, in the end
  double bits = 64.0;  // until then: it grows from none, as the first bits carry the most
  Seed seed;
};

/// Column oracle: linear, kernel, stump or tree functions of the training rows it was built on.
class HashFamily {
 public:
  virtual ~HashFamily() = default;
  /// A bit with a large F.  Deterministic in the form and the seed, for any number of threads.
  virtual LearnedBit best(const PairForm& form, Seed seed, Threads threads) const = 0;
  /// The learned functions as one encoder of raw feature vectors.  Stumps and trees know no dither.
  virtual Encoder assemble(std::span<const LearnedBit> bits, const Dither& dither) const = 0;
  /// The bit of every row that a function learned before gives.  Only families whose rows may be
  /// cut into shards can say; the others refuse (Errc::usage).
  virtual std::vector<std::int8_t> signs(const HashFunction& function, const PairForm& form,
                                         Threads threads) const;
};

}  // namespace structhash
