#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "structhash/codes/distance.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/search/search_engine.hpp"

/// The slow twin of every engine, and codes and weights to compare them on.
namespace structhash::test {

/// All allowed rows in order of distance, then row.
inline std::vector<Neighbour> naive_ranking(const CodeSpan& codes, CodeView query,
                                            std::span<const float> bit_weights,
                                            std::span<const std::uint64_t> allowed = {}) {
  const std::optional<WeightTable> table =
      bit_weights.empty() ? std::nullopt : std::make_optional<WeightTable>(bit_weights);
  std::vector<Neighbour> ranking;
  for (Index row = 0; row < codes.rows; ++row) {
    const auto bit = static_cast<std::size_t>(row);
    if (allowed.empty() || ((allowed[bit / 64] >> (bit % 64)) & 1U) != 0) {
      ranking.push_back({table ? table->distance(query, codes.row(row))
                               : static_cast<float>(hamming(query, codes.row(row))),
                         row});
    }
  }
  std::ranges::sort(ranking);
  return ranking;
}

inline std::vector<Neighbour> naive_nearest(std::vector<Neighbour> ranking, Index k) {
  ranking.resize(std::min(ranking.size(), static_cast<std::size_t>(k)));
  return ranking;
}

inline std::vector<Neighbour> naive_within(std::vector<Neighbour> ranking, float radius) {
  std::erase_if(ranking, [&](const Neighbour& one) { return !(one.distance <= radius); });
  return ranking;
}

/// Codes around `centres` random centres, each bit flipped with probability `flip`: 0 gives exact
/// repetitions, 0.5 random codes.
inline CodeMatrix clustered_codes(Index rows, Index bits, Index centres, double flip, Rng& rng) {
  CodeMatrix centre(centres, bits);
  for (Index row = 0; row < centres; ++row) {
    for (Index bit = 0; bit < bits; ++bit) {
      centre.set(row, bit, rng.uniform() < 0.5);
    }
  }
  CodeMatrix codes(rows, bits);
  for (Index row = 0; row < rows; ++row) {
    const Index from = rng.below(centres);
    for (Index bit = 0; bit < bits; ++bit) {
      codes.set(row, bit, centre.bit(from, bit) != (rng.uniform() < flip));
    }
  }
  return codes;
}

inline std::vector<std::uint64_t> random_bitmap(Index rows, double density, Rng& rng) {
  std::vector<std::uint64_t> bitmap(static_cast<std::size_t>((rows + 63) / 64));
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    bitmap[row / 64] |= std::uint64_t{rng.uniform() < density} << (row % 64);
  }
  return bitmap;
}

}  // namespace structhash::test
