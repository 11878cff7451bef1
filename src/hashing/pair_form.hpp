#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/shards.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/types.hpp"

/// The column subproblem as a sparse quadratic form (docs/methods.md A.8): the objective of every
/// hash family, for the pair weights of StructHash and CGH.
namespace structhash {

///   F(s) = 1/2 sum_{pairs (q, l)} A(q, l) s_q s_l = 1/2 s' M s,   M = (A + A') / 2
///
/// s: one value per training row, +1 or -1 for bits, in between for their smooth surrogates.
/// The pairs are given once; their weights change from bit to bit.
class PairForm {
 public:
  PairForm(Index rows, std::span<const std::int32_t> left, std::span<const std::int32_t> right)
      : PairForm(Shards(rows), left, right) {}
  /// The rows of one process, and no pair reaches from one shard into another: F is a sum over the
  /// shards of all processes.
  PairForm(const Shards& shards, std::span<const std::int32_t> left,
           std::span<const std::int32_t> right);

  void set_weights(std::span<const float> pair_weights, Threads threads);

  Index rows() const { return shards_.rows(); }
  const Shards& shards() const { return shards_; }
  /// M s.
  void multiply(std::span<const float> s, std::span<float> result, Threads threads) const;
  /// F(s).
  double value(std::span<const float> s, Threads threads) const;

  /// Columns and entries of row `row` of M, without zeros.
  std::span<const std::int32_t> columns(Index row) const {
    return {columns_.data() + start(row), filled(row)};
  }
  std::span<const float> entries(Index row) const {
    return {entries_.data() + start(row), filled(row)};
  }

 private:
  std::size_t start(Index row) const {
    return static_cast<std::size_t>(row_start_[static_cast<std::size_t>(row)]);
  }
  std::size_t filled(Index row) const {
    return static_cast<std::size_t>(filled_[static_cast<std::size_t>(row)]);
  }
  Shards shards_;
  std::vector<std::int64_t> row_start_;      // of the rows of all pairs, zeros included
  std::vector<std::int32_t> all_columns_;    // of all pairs, both ways
  std::vector<std::int32_t> pair_of_entry_;  // likewise
  // Per row the entries that are not zero come first.  Once bits rank most pairs right, most
  // weights are zero, and products become cheap.
  std::vector<std::int32_t> filled_;
  std::vector<std::int32_t> columns_;
  std::vector<float> entries_;
};

}  // namespace structhash
