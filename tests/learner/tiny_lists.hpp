#pragma once

#include <vector>

#include "structhash/core/rng.hpp"
#include "structhash/relevance/relevance_list.hpp"

namespace structhash {

/// Random lists over `rows` rows: every row is a query, its items are distinct and not the query.
inline std::vector<RelevanceList> random_lists(Index rows, Index relevant, Index irrelevant,
                                               std::uint64_t seed) {
  std::vector<RelevanceList> lists;
  Rng rng(Seed{seed});
  for (Index query = 0; query < rows; ++query) {
    const auto picks = sample_without_replacement(rows - 1, relevant + irrelevant, rng);
    RelevanceList list{.query = query, .relevant = {}, .irrelevant = {}};
    for (std::size_t i = 0; i < picks.size(); ++i) {
      const Index item = picks[i] + (picks[i] >= query ? 1 : 0);
      (static_cast<Index>(i) < relevant ? list.relevant : list.irrelevant).push_back(item);
    }
    lists.push_back(list);
  }
  return lists;
}

inline std::vector<std::int8_t> random_signs(Index rows, std::uint64_t seed) {
  Rng rng(Seed{seed});
  std::vector<std::int8_t> signs;
  for (Index row = 0; row < rows; ++row) {
    signs.push_back(rng.uniform() < 0.5 ? std::int8_t{-1} : std::int8_t{1});
  }
  return signs;
}

}  // namespace structhash
