#pragma once

#include <functional>
#include <span>

#include "structhash/core/parallel.hpp"
#include "structhash/core/types.hpp"

/// Nearest items by exact l2 distance, for relevance defined by the features.
namespace structhash {

/// Number of items "the nearest fraction" means: rounded to the nearest, at least one.
Index neighbour_count(Index items, double fraction);

/// Squared l2 distance of two rows, in double precision.
double squared_distance(const MatrixView& items, Index item, const MatrixView& queries,
                        Index query);

/// For every row q of `queries`, in blocks, from several threads: visit(q, nearest), the `count`
/// nearest items in ascending row order.  Equal distances go to the smaller row.  `self`: per
/// query, the item that is the query itself and is left out; empty if queries are not items.
/// The result is exact: float products only preselect candidates (see the source).
/// Memory: about 64 MiB per thread for any number of items.
void visit_nearest(const MatrixView& items, const MatrixView& queries, std::span<const Index> self,
                   Index count, Threads threads,
                   const std::function<void(Index query, std::span<const Index> nearest)>& visit);

}  // namespace structhash
