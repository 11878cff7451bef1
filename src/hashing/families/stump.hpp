#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hashing/hash_family.hpp"
#include "structhash/core/parallel.hpp"

/// Decision stumps, [ x(column) > threshold ]: the one family whose best member is found exactly.
namespace structhash {

class StumpFamily final : public HashFamily {
 public:
  /// Sorts every feature once: O(d n log n); keeps 8 bytes per value.
  /// Throws Errc::usage when every feature is constant.
  StumpFamily(const MatrixView& x, Threads threads);

  /// The best of all columns and all thresholds between two values that occur, up to the rounding
  /// of float sums; ties go to the lowest column, then the lowest threshold.  A form that no stump
  /// makes positive, such as all-zero weights, still gets the best one.
  /// Cost: d operations per pair, 64 columns at a time.
  LearnedBit best(const PairForm& form, Seed seed, Threads threads) const override;
  Encoder assemble(std::span<const LearnedBit> bits) const override;

 private:
  struct Cut {
    double weight = std::numeric_limits<double>::infinity();  // of the pairs it separates
    Index feature = 0;
    Index rank = 0;  // of the last row below it
  };
  Cut least_cut(Index feature, std::span<const float> higher,
                std::span<const double> row_sums) const;
  LearnedBit bit_of(const Cut& cut, const PairForm& form, Threads threads) const;
  const std::int32_t* ranks_of(Index feature) const;  // 64 apart

  Index rows_;
  Index inputs_;
  std::vector<Index> columns_;       // of x that are not constant
  std::vector<std::int32_t> ranks_;  // blocks of 64 columns: blocks x rows x 64
  std::vector<float> sorted_;        // columns x rows, ascending
};

}  // namespace structhash
