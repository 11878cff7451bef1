#pragma once

#include <algorithm>
#include <functional>
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

/// Every allowed row, nearest first.
inline Neighbours naive_ranking(const CodeSpan& database, const CodeSpan& queries,
                                const CodeDistance& distance,
                                std::span<const std::uint64_t> allowed = {}) {
  Neighbours found(static_cast<std::size_t>(queries.rows));
  for (Index query = 0; query < queries.rows; ++query) {
    std::vector<Neighbour>& list = found[static_cast<std::size_t>(query)];
    for (Index row = 0; row < database.rows; ++row) {
      if (is_allowed(allowed, row)) {
        list.push_back({distance(queries.row(query), database.row(row)), row});
      }
    }
    std::sort(list.begin(), list.end());
  }
  return found;
}

inline Neighbours first_k(Neighbours ranking, Index k) {
  for (std::vector<Neighbour>& list : ranking) {
    list.resize(std::min(list.size(), static_cast<std::size_t>(k)));
  }
  return ranking;
}

inline Neighbours within_radius(Neighbours ranking, float radius) {
  for (std::vector<Neighbour>& list : ranking) {
    std::erase_if(list, [&](const Neighbour& one) { return one.distance > radius; });
  }
  return ranking;
}

}  // namespace structhash
