#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "structhash/ranking/measure.hpp"
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
  ListTable(std::span<const RelevanceList> lists, const RankingMeasure& measure, Index rows);
  ListTable(const ListTable&) = delete;
  ListTable& operator=(const ListTable&) = delete;

  Index lists() const { return static_cast<Index>(queries_.size()); }
  Index pairs() const { return static_cast<Index>(items_.size()); }
  Index rows() const { return rows_; }
  std::span<const ListChunk> chunks() const { return chunks_; }

  std::span<const std::int32_t> queries() const { return queries_; }  // per list: training row
  std::span<const std::int32_t> items() const { return items_; }      // per pair: training row
  /// Per list: its weight over the sum of all weights (1/m when all are equal).
  std::span<const double> weights() const { return weights_; }
  /// Per list: weight * 2 / (P N), the factor of an inversion in delta psi, Eq. (13).
  std::span<const double> inversion_scales() const { return inversion_scales_; }
  /// Largest inversion count that can occur: the longer side of the longest list.
  Index largest_inversion() const { return largest_inversion_; }

 private:
  Index rows_;
  Index largest_inversion_ = 0;
  std::vector<GainTable> gains_;
  std::vector<ListChunk> chunks_;
  std::vector<std::int32_t> queries_;
  std::vector<std::int32_t> items_;
  std::vector<double> weights_;
  std::vector<double> inversion_scales_;
};

}  // namespace structhash
