#pragma once

#include <optional>
#include <span>
#include <vector>

#include "search/bucket_tables.hpp"
#include "search/flip_order.hpp"
#include "search/result_list.hpp"
#include "structhash/codes/distance.hpp"

/// One query's way through the buckets, from the nearest outwards.
namespace structhash {

/// What all queries of an engine share.
struct BucketWalkData {
  CodeSpan codes;
  const BucketTables* tables = nullptr;
  std::span<const FlipOrder> orders;     // one per table
  const WeightTable* weights = nullptr;  // none: plain Hamming distance
  /// A computed distance is at least this times the exact sum of weights: float sums are rounded.
  double rounding = 1.0;
  std::size_t budget = 0;  // buckets and rows to look at before giving up
};

/// A row that is in none of the buckets seen so far differs from the query, in every substring, by
/// a way of flipping bits that is still to come in the order of that substring.  So
///     distance >= sum over substrings of the cost of the next way,
/// and the walk may end once this bound is above the limit of the list.
/// False: it would cost more than the budget; the list is then of no use.
bool walk_buckets(const BucketWalkData& data, CodeView query,
                  std::span<const std::uint64_t> allowed, ResultList& list);

}  // namespace structhash
