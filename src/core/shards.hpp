#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/communicator.hpp"
#include "core/row_range.hpp"
#include "structhash/core/types.hpp"

/// The shards of a training set, and sums over all of them (docs/adr/0017).  The shards depend on
/// the data, not on the number of processes.  Every process holds whole, consecutive shards, and
/// sums are added in shard order, so the bytes are the same for any number of processes.
namespace structhash {

class Shards {
 public:
  /// Everything is one shard.
  explicit Shards(Index rows) : Shards(std::vector{rows}, nullptr) {}
  /// sizes: rows of every shard of this process.  With several processes, all of them call this,
  /// and their shards are numbered in order of rank.
  Shards(const std::vector<Index>& sizes, Communicator* processes);

  Index count() const { return static_cast<Index>(starts_.size()) - 1; }  // of this process
  Index total() const { return total_; }                                  // of all processes
  Index number(Index shard) const { return first_ + shard; }              // among all
  bool cut() const { return total_ > 1; }

  Index rows() const { return starts_.back(); }  // of this process
  RowRange rows(Index shard) const {
    return {starts_[static_cast<std::size_t>(shard)], starts_[static_cast<std::size_t>(shard) + 1]};
  }
  Index all_rows() const { return all_rows_; }    // of all processes
  Index first_row() const { return first_row_; }  // of this process among all

  Communicator* processes() const { return processes_; }  // nullptr: this one alone
  bool first_process() const { return processes_ == nullptr || processes_->rank() == 0; }

  /// Sum of what `fill` puts into `size` zeros for every shard, over all processes.
  std::vector<double> sum(
      Index size, const std::function<void(Index shard, std::span<double> part)>& fill) const;

  /// The text of every process, in order of rank.
  std::vector<std::string> gather(std::string_view own) const;

  /// Rows of `x`, which holds the rows of this process, by their numbers among all rows; ascending.
  Matrix<float> gather_rows(const MatrixView& x, std::span<const Index> numbers) const;

 private:
  std::vector<Index> starts_;  // of this process's shards in its rows, and their end
  Index first_ = 0;
  Index total_ = 1;
  Index first_row_ = 0;
  Index all_rows_ = 0;
  Communicator* processes_ = nullptr;
};

}  // namespace structhash
