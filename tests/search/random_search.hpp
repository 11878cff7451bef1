#pragma once

#include <cmath>
#include <vector>

#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/rng.hpp"

/// Random databases, queries, weights and bitmaps, with everything that has a border case.
namespace structhash {

inline CodeMatrix uniform_codes(Index rows, Index bits, Rng& rng) {
  CodeMatrix codes(rows, bits);
  const Index words = codes.words_per_code();
  for (Index i = 0; i < rows * words; ++i) {
    const bool last = i % words == words - 1;
    const std::uint64_t padding = last && bits % 64 != 0 ? ~std::uint64_t{0} << (bits % 64) : 0;
    codes.mutable_words()[static_cast<std::size_t>(i)] = rng.next() & ~padding;
  }
  return codes;
}

/// Copies of few codes, each with some bits flipped: many equal distances and equal codes.
inline CodeMatrix clustered_codes(Index rows, const CodeMatrix& centres, double flips, Rng& rng) {
  CodeMatrix codes(rows, centres.bits());
  for (Index row = 0; row < rows; ++row) {
    const Index centre = rng.below(centres.rows());
    const bool exact = rng.below(4) == 0;
    for (Index bit = 0; bit < centres.bits(); ++bit) {
      codes.set(row, bit, centres.bit(centre, bit) != (!exact && rng.uniform() < flips));
    }
  }
  return codes;
}

/// Kinds: 0 between 0 and 1, 1 all equal, 2 half of them zero, 3 all zero, 4 tiny, 5 huge,
/// 6 over 60 orders of magnitude, 7 one that outweighs all others.
inline constexpr int kWeightKinds = 8;
inline std::vector<float> draw_weights(Index bits, int kind, Rng& rng) {
  std::vector<float> weights(static_cast<std::size_t>(bits));
  for (std::size_t bit = 0; bit < weights.size(); ++bit) {
    const double u = rng.uniform();
    const double choices[kWeightKinds] = {
        u,         0.37,     rng.below(2) == 0 ? 0.0 : u,     0.0,
        1e-42 * u, 1e35 * u, std::pow(10.0, 60.0 * u - 30.0), bit == weights.size() / 2 ? 1e6 : u};
    weights[bit] = static_cast<float>(choices[kind]);
  }
  return weights;
}

inline std::vector<std::uint64_t> draw_allowed(Index rows, double share, Rng& rng) {
  std::vector<std::uint64_t> allowed(static_cast<std::size_t>((rows + 63) / 64));
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    allowed[row / 64] |= std::uint64_t{rng.uniform() < share ? 1U : 0U} << (row % 64);
  }
  return allowed;
}

template <std::size_t kCount>
Index pick(const Index (&choices)[kCount], Rng& rng) {
  return choices[rng.below(static_cast<Index>(kCount))];
}

}  // namespace structhash
