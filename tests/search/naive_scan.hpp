#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "structhash/codes/distance.hpp"
#include "structhash/search/search_engine.hpp"

/// The slow twin of every engine: all distances, sorted.
namespace structhash {

using CodeDistance = std::function<float(CodeView query, CodeView code)>;

inline CodeDistance plain_distance() {
  return [](CodeView query, CodeView code) { return static_cast<float>(hamming(query, code)); };
}

inline CodeDistance weighted_distance(const std::vector<float>& weights) {
  return [table = WeightTable(weights)](CodeView query, CodeView code) {
    return table.distance(query, code);
  };
}

inline bool is_allowed(std::span<const std::uint64_t> allowed, Index row) {
  const auto i = static_cast<std::size_t>(row);
  return allowed.empty() || ((allowed[i / 64] >> (i % 64)) & 1U) != 0;
}

inline Neighbours naive_within(const CodeSpan& database, const CodeSpan& queries, float radius,
                               const CodeDistance& distance,
                               std::span<const std::uint64_t> allowed = {}) {
  Neighbours found(static_cast<std::size_t>(queries.rows));
  for (Index query = 0; query < queries.rows; ++query) {
    std::vector<Neighbour>& list = found[static_cast<std::size_t>(query)];
    for (Index row = 0; row < database.rows; ++row) {
      if (!is_allowed(allowed, row)) {
        continue;
      }
      const float d = distance(queries.row(query), database.row(row));
      if (d <= radius) {
        list.push_back({d, row});
      }
    }
    std::sort(list.begin(), list.end());
  }
  return found;
}

inline Neighbours naive_nearest(const CodeSpan& database, const CodeSpan& queries, Index k,
                                const CodeDistance& distance,
                                std::span<const std::uint64_t> allowed = {}) {
  Neighbours found =
      naive_within(database, queries, std::numeric_limits<float>::infinity(), distance, allowed);
  for (std::vector<Neighbour>& list : found) {
    list.resize(std::min(list.size(), static_cast<std::size_t>(k)));
  }
  return found;
}

}  // namespace structhash
