#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "hashing/pair_form.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/hashing/encoder.hpp"

/// Columns of the linear programme: the one-bit function that separates weighted pairs best.
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

/// Column oracle: linear, kernel, stump or tree functions of the training rows it was built on.
class HashFamily {
 public:
  virtual ~HashFamily() = default;
  /// A bit with a large F.  Deterministic in the form and the seed, for any number of threads.
  virtual LearnedBit best(const PairForm& form, Seed seed, Threads threads) const = 0;
  /// The bit functions of learned bits as one encoder of raw feature vectors.
  virtual Encoder assemble(std::span<const LearnedBit> bits) const = 0;
};

}  // namespace structhash
