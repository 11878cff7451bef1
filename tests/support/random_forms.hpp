#pragma once

#include <cstdint>
#include <vector>

#include "hashing/pair_form.hpp"
#include "structhash/core/rng.hpp"

/// Random features and column problems, and the definition of their objective.
namespace structhash::test {

inline Matrix<float> random_matrix(Index rows, Index columns, Seed seed) {
  Rng rng(seed);
  return Matrix<float>::NullaryExpr(rows, columns,
                                    [&] { return static_cast<float>(rng.normal()); });
}

struct Pairs {
  std::vector<std::int32_t> left;
  std::vector<std::int32_t> right;
  std::vector<float> weights;

  PairForm form(Index rows) const {
    PairForm result(rows, left, right);
    result.set_weights(weights, 1);
    return result;
  }
};

/// Pairs with repetitions and, if asked for, pairs of a row with itself; weights are whole numbers
/// of -4..4, so that float sums of them are exact.
inline Pairs random_pairs(Index rows, Index count, Seed seed, bool with_itself = false) {
  Rng rng(seed);
  Pairs pairs;
  while (std::ssize(pairs.left) < count) {
    const Index a = rng.below(rows);
    const Index b = rng.below(rows);
    if (a != b || with_itself) {
      pairs.left.push_back(static_cast<std::int32_t>(a));
      pairs.right.push_back(static_cast<std::int32_t>(b));
      pairs.weights.push_back(static_cast<float>(rng.below(9) - 4));
    }
  }
  return pairs;
}

/// Weights that a code should like: rows with equal `classes` attract, others repel.
inline Pairs class_pairs(const std::vector<int>& classes, Index per_row, Seed seed) {
  Rng rng(seed);
  Pairs pairs;
  const Index rows = std::ssize(classes);
  for (Index row = 0; row < rows; ++row) {
    for (Index k = 0; k < per_row; ++k) {
      const Index other = (row + 1 + rng.below(rows - 1)) % rows;
      const bool same =
          classes[static_cast<std::size_t>(row)] == classes[static_cast<std::size_t>(other)];
      pairs.left.push_back(static_cast<std::int32_t>(row));
      pairs.right.push_back(static_cast<std::int32_t>(other));
      pairs.weights.push_back(same ? 1.0F : -1.0F);
    }
  }
  return pairs;
}

/// F(s) = 1/2 sum over the pairs, by definition.
template <typename Signs>
double naive_value(const Pairs& pairs, const Signs& s) {
  double sum = 0.0;
  for (std::size_t i = 0; i < pairs.left.size(); ++i) {
    sum += 0.5 * static_cast<double>(pairs.weights[i]) *
           static_cast<double>(s[static_cast<std::size_t>(pairs.left[i])]) *
           static_cast<double>(s[static_cast<std::size_t>(pairs.right[i])]);
  }
  return sum;
}

}  // namespace structhash::test
