#pragma once

#include <optional>
#include <span>
#include <vector>

#include "search/multi_index/bucket_tables.hpp"
#include "search/multi_index/flip_order.hpp"
#include "search/multi_index/result_list.hpp"
#include "structhash/codes/distance.hpp"

/// The search of one query through the buckets, nearest first.
namespace structhash::search {

/// The data that all queries of an engine share.
struct BucketWalkData {
  CodeSpan codes;
  const BucketTables* tables = nullptr;
  std::span<const FlipOrder> orders;     // one per table
  const WeightTable* weights = nullptr;  // none: plain Hamming distance
  /// A computed distance is at least this times the exact sum of weights: float sums are rounded.
  double rounding = 1.0;
  std::size_t budget = 0;  // max buckets and rows to visit
};

/// A row in no visited bucket differs from the query, in every substring, by a flip mask that the
/// flip order of that substring has not reached yet.  So
///     distance >= sum over substrings of the cost of the next mask,
/// and the walk ends once this bound is above the limit of the list.
/// False: the walk would cost more than the budget; ignore the list then.
bool walk_buckets(const BucketWalkData& data, CodeView query,
                  std::span<const std::uint64_t> allowed, ResultList& list);

}  // namespace structhash::search
