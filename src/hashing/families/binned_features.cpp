#include "hashing/families/binned_features.hpp"

#include <algorithm>

#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

struct Group {  // rows of equal value
  float value;
  Index rows;
};

std::vector<Group> groups_of(std::span<const float> sorted) {
  std::vector<Group> groups;
  for (const float value : sorted) {
    if (groups.empty() || groups.back().value < value) {
      groups.push_back({value, 0});
    }
    ++groups.back().rows;
  }
  return groups;
}

/// Cuts into bins of about equal size; all cuts there are where they suffice.  A value that fills
/// a bin alone, such as the zero of sparse features, gets one to itself, and the others share what
/// is left of the bins (two less for each such value, as it may cut a bin of the others in two).
std::vector<float> quantile_thresholds(std::span<const Group> groups, Index rows, Index max_bins) {
  const bool all = std::ssize(groups) <= max_bins;
  const auto heavy = [&](const Group& group) { return group.rows * max_bins >= rows; };
  Index left = rows;           // lighter rows not yet in a closed bin
  Index bins_left = max_bins;  // for them
  for (const Group& group : groups) {
    left -= heavy(group) ? group.rows : 0;
    bins_left -= heavy(group) ? 2 : 0;
  }
  std::vector<float> thresholds;
  Index open = 0;  // lighter rows of the bin being filled
  for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
    open += heavy(groups[g]) ? 0 : groups[g].rows;
    const bool full = open > 0 && open * bins_left >= left;
    const bool alone = heavy(groups[g]) || heavy(groups[g + 1]);
    if ((all || full || alone) && std::ssize(thresholds) < max_bins - 1) {
      thresholds.push_back(threshold_between(groups[g].value, groups[g + 1].value));
      left -= open;
      bins_left = std::max<Index>(1, bins_left - (open > 0 ? 1 : 0));
      open = 0;
    }
  }
  return thresholds;
}

}  // namespace

float threshold_between(float low, float high) {
  const double middle = 0.5 * (static_cast<double>(low) + static_cast<double>(high));
  const auto rounded = static_cast<float>(middle);
  return rounded < high ? rounded : low;
}

BinnedFeatures::BinnedFeatures(const MatrixView& x, Index max_bins, Threads threads)
    : rows_(x.rows()) {
  require(max_bins >= 2 && max_bins <= 256, "bins must be between 2 and 256");
  std::vector<std::vector<float>> thresholds(static_cast<std::size_t>(x.cols()));
  std::vector<std::vector<std::uint8_t>> bins(thresholds.size());
  parallel_for(x.cols(), threads, 8, [&](Index begin, Index end) {
    std::vector<float> sorted(static_cast<std::size_t>(rows_));
    for (Index column = begin; column < end; ++column) {
      const auto c = static_cast<std::size_t>(column);
      Eigen::Map<Vector<float>>(sorted.data(), rows_) = x.col(column);
      std::ranges::sort(sorted);
      thresholds[c] = quantile_thresholds(groups_of(sorted), rows_, max_bins);
      if (thresholds[c].empty()) {
        continue;
      }
      bins[c].resize(sorted.size());
      for (Index row = 0; row < rows_; ++row) {
        const auto at = std::ranges::lower_bound(thresholds[c], x(row, column));
        bins[c][static_cast<std::size_t>(row)] =
            static_cast<std::uint8_t>(at - thresholds[c].begin());
      }
    }
  });
  for (Index column = 0; column < x.cols(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    if (!thresholds[c].empty()) {
      columns_.push_back(column);
      bins_.insert(bins_.end(), bins[c].begin(), bins[c].end());
      thresholds_.push_back(std::move(thresholds[c]));
    }
  }
  require(!columns_.empty(), "all training features are constant: there is nothing to learn from");
}

}  // namespace structhash
