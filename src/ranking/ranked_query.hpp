#pragma once

#include <span>
#include <vector>

#include "structhash/core/types.hpp"

/// Codes make large ties: many items have the same distance.  A ranking is therefore a sequence of
/// tie groups, and a measure is a function of the groups (docs/evaluation.md).
namespace structhash {

/// Items at one distance from the query; the groups of a ranking come in ascending distance.
struct TieGroup {
  Index items = 0;     // n >= 1
  Index relevant = 0;  // p of them
  bool operator==(const TieGroup&) const = default;
};

/// The ranking of the database for one query, ready for any measure.
struct RankedQuery {
  /// Element t - 1 holds the groups when items of grade t or more are relevant: one element for
  /// binary relevance.  Only the graded measures look beyond the first.
  std::vector<std::vector<TieGroup>> by_threshold;
  std::vector<Index> relevant;  // relevant items at each threshold, found or not
  Index items = 0;              // items in the database, found or not
  /// within[d]: all items, and the relevant ones, at Hamming distance d or less.
  std::vector<TieGroup> within;

  std::span<const TieGroup> groups() const { return by_threshold.front(); }
};

}  // namespace structhash
