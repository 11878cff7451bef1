#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ranking/ranked_query.hpp"
#include "structhash/evaluation/evaluate.hpp"

/// Ranks the database for one query after the other.
namespace structhash {

/// One kind of distance, with its scratch space: every task makes its own.
class Ranker {
 public:
  virtual ~Ranker() = default;
  /// Computes the distances of all items to a query; calls of `group` refer to them.
  virtual void measure(Index query) = 0;
  /// Tie groups when relevant[i] = 1 marks the relevant items; within[d], for d below its size, the
  /// items at radius d or less.
  virtual void group(std::span<const std::uint8_t> relevant, std::vector<TieGroup>& groups,
                     std::vector<TieGroup>& within) = 0;
};

using MakeRanker = std::function<std::unique_ptr<Ranker>()>;

/// By Hamming distance or, with weights, by weighted Hamming distance.  Checks that codes and
/// weights fit together; keeps references to the codes.
MakeRanker code_ranker(const CodeMatrix& database, const CodeMatrix& queries,
                       const BitWeights& bit_weights, Ties ties);

/// By distances from anywhere.
MakeRanker distance_ranker(DistanceSource distances, Index items, Ties ties);

/// Throws unless the truth has these numbers of queries and items.
void require_sizes(const GroundTruth& truth, Index queries, Index items);

/// Calls use(query, ranking) from several threads for every query that has a relevant item, and
/// returns the number of queries that have none.  Radii below `radii` are counted.
Index for_each_ranked_query(const MakeRanker& make_ranker, const GroundTruth& truth, Index radii,
                            const EvaluationOptions& options,
                            const std::function<void(Index, const RankedQuery&)>& use);

}  // namespace structhash
