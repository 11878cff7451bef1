#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/shards.hpp"
#include "ranking/gain_table.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// The relevance lists of a training set, flattened: every pass of the learner runs over the pairs
/// (query, item) in this order, in chunks that fit the cache.
namespace structhash {

/// Consecutive lists of one shape that one task handles.
struct ListChunk {
  const GainTable* gains;  // of this shape; owned by the table
  Index first_list;
  Index lists;
  Index first_pair;  // the pairs of a list stand together: P relevant items, then N irrelevant ones
  Index relevant;    // P
  Index irrelevant;  // N
  Index items() const { return relevant + irrelevant; }
};

class ListTable {
 public:
  ListTable(std::span<const RelevanceList> lists, const RankingMeasure& measure, Index rows)
      : ListTable(lists, measure, Shards(rows)) {}
  /// Lists over the rows of one process; no list reaches from one shard into another.
  ListTable(std::span<const RelevanceList> lists, const RankingMeasure& measure,
            const Shards& shards);
  ListTable(const ListTable&) = delete;
  ListTable& operator=(const ListTable&) = delete;

  Index lists() const { return static_cast<Index>(queries_.size()); }
  Index pairs() const { return static_cast<Index>(items_.size()); }
  Index rows() const { return shards_.rows(); }
  const Shards& shards() const { return shards_; }
  std::span<const ListChunk> chunks() const { return chunks_; }
  /// The chunks of one shard, as a range of chunks().
  RowRange chunks_of(Index shard) const { return shard_chunks_[static_cast<std::size_t>(shard)]; }

  std::span<const std::int32_t> queries() const { return queries_; }  // per list: training row
  std::span<const std::int32_t> items() const { return items_; }      // per pair: training row
  /// Per list: its weight over the sum of all weights, of all processes (1/m when all are equal).
  std::span<const double> weights() const { return weights_; }
  /// Per list: weight * 2 / (P N), the factor of an inversion in delta psi, Eq. (13).
  std::span<const double> inversion_scales() const { return inversion_scales_; }
  /// Largest inversion count that can occur: the longer side of the longest list.
  Index largest_inversion() const { return largest_inversion_; }

 private:
  using Shape = std::pair<Index, Index>;  // P, N
  void add_shard(std::span<const RelevanceList> lists, std::span<const std::size_t> members,
                 const RankingMeasure& measure, double total_weight);

  Shards shards_;
  Index largest_inversion_ = 0;
  std::map<Shape, GainTable> gains_;  // chunks point into it
  std::vector<ListChunk> chunks_;
  std::vector<RowRange> shard_chunks_;
  std::vector<std::int32_t> queries_;
  std::vector<std::int32_t> items_;
  std::vector<double> weights_;
  std::vector<double> inversion_scales_;
};

}  // namespace structhash
