#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "structhash/core/parallel.hpp"
#include "structhash/core/types.hpp"

/// Features as small integers: what trees are grown on.
namespace structhash {

/// Every feature cut into at most 256 bins that hold about equally many rows.  A cut lies between
/// two values that occur, so that bin > c exactly when x > threshold(c): trees grown on the bins
/// and trees evaluated on the features give the same signs.
class BinnedFeatures {
 public:
  BinnedFeatures(const MatrixView& x, Index max_bins, Threads threads);

  Index rows() const { return rows_; }
  /// Those with at least two bins; constant columns can split nothing.
  Index features() const { return static_cast<Index>(columns_.size()); }
  /// Column of x that a feature is.
  Index column(Index feature) const { return columns_[static_cast<std::size_t>(feature)]; }
  /// Bin of every row.
  const std::uint8_t* bins(Index feature) const { return bins_.data() + feature * rows_; }
  /// Ascending; one less than there are bins.
  std::span<const float> thresholds(Index feature) const {
    return thresholds_[static_cast<std::size_t>(feature)];
  }

 private:
  Index rows_;
  std::vector<Index> columns_;
  std::vector<std::uint8_t> bins_;  // features x rows
  std::vector<std::vector<float>> thresholds_;
};

/// A float t with low <= t < high, in the middle where there is one: x > t separates the two.
float threshold_between(float low, float high);

}  // namespace structhash
