#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "reference/joint_feature.hpp"
#include "reference/most_violated.hpp"

/// The slow twin of most_violated_batch: one list, a stable sort, the scalar oracle.
namespace structhash::test {

struct ListResult {
  std::vector<std::uint16_t> inversions;
  double loss = 0.0;
};

/// Positions of the items nearest first, ties by position.
inline std::vector<std::size_t> stable_order(std::span<const float> distances) {
  std::vector<std::size_t> order(distances.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t l) { return distances[l]; });
  return order;
}

inline Vector<double> sorted(std::span<const float> distances, std::span<const std::size_t> order) {
  Vector<double> values(std::ssize(order));
  for (Index r = 0; r < values.size(); ++r) {
    values(r) = distances[order[static_cast<std::size_t>(r)]];
  }
  return values;
}

inline ListResult scalar_row_oracle(const GainTable& gains, std::span<const float> distances) {
  const auto P = static_cast<std::size_t>(gains.relevant());
  const auto relevant = stable_order(distances.first(P));
  const auto irrelevant = stable_order(distances.subspan(P));
  const reference::Interleaving worst = reference::most_violated(
      gains, sorted(distances.first(P), relevant), sorted(distances.subspan(P), irrelevant));
  const auto in_order = reference::inversions(worst, gains.irrelevant());
  ListResult result{std::vector<std::uint16_t>(distances.size()), reference::loss(gains, worst)};
  for (std::size_t r = 0; r < P; ++r) {
    result.inversions[relevant[r]] = in_order[r];
  }
  for (std::size_t r = 0; r < irrelevant.size(); ++r) {
    result.inversions[P + irrelevant[r]] = in_order[P + r];
  }
  return result;
}

}  // namespace structhash::test
