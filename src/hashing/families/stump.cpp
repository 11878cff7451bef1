#include "hashing/families/stump.hpp"

#include <algorithm>
#include <numeric>

#include "hashing/families/binned_features.hpp"
#include "hashing/simd/higher_sums.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kLanes = kHigherLanes;
constexpr Index kRowsPerTask = 256;
constexpr Index kColumnGrain = 8;

/// Sum of row p of M without its diagonal.
double row_sum(const PairForm& form, Index row) {
  const auto columns = form.columns(row);
  const auto entries = form.entries(row);
  double sum = 0.0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    sum += columns[i] == row ? 0.0 : static_cast<double>(entries[i]);
  }
  return sum;
}

}  // namespace

StumpFamily::StumpFamily(const MatrixView& x, Threads threads)
    : rows_(x.rows()), inputs_(x.cols()) {
  require(rows_ >= 1 && rows_ <= INT32_MAX, "stumps need between 1 and 2^31 - 1 training rows");
  for (Index column = 0; column < inputs_; ++column) {
    if ((x.col(column).array() != x(0, column)).any()) {
      columns_.push_back(column);
    }
  }
  require(!columns_.empty(), "all training features are constant: there is nothing to learn from");
  const Index features = std::ssize(columns_);
  const Index blocks = (features + kLanes - 1) / kLanes;
  ranks_.assign(static_cast<std::size_t>(blocks * rows_ * kLanes), 0);
  sorted_.resize(static_cast<std::size_t>(features * rows_));
  parallel_for(features, threads, kColumnGrain, [&](Index begin, Index end) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(rows_));
    for (Index feature = begin; feature < end; ++feature) {
      const Index column = columns_[static_cast<std::size_t>(feature)];
      std::iota(order.begin(), order.end(), 0);
      std::ranges::sort(order, [&](std::int32_t a, std::int32_t b) {
        return x(a, column) != x(b, column) ? x(a, column) < x(b, column) : a < b;
      });
      std::int32_t* ranks = ranks_.data() + feature / kLanes * rows_ * kLanes + feature % kLanes;
      for (Index rank = 0; rank < rows_; ++rank) {
        const Index row = order[static_cast<std::size_t>(rank)];
        ranks[row * kLanes] = static_cast<std::int32_t>(rank);
        sorted_[static_cast<std::size_t>(feature * rows_ + rank)] = x(row, column);
      }
    }
  });
}

/// With T the rows below a threshold (docs/methods.md A.9, the flip rule summed up),
///
///   F = F(all equal) - 2 cut(T),    cut(T) = sum_{p in T} c_p,
///   c_p = sum_l M_pl sign(rank_l - rank_p) = 2 sum_{rank_l > rank_p} M_pl - sum_{l != p} M_pl
///
/// because the two ends of a pair inside T cancel.  So all c_p of 64 features come from one pass
/// over the pairs that reads the ranks of a row side by side, and the best threshold of a feature
/// is the least prefix sum of its c_p in sorted order.
LearnedBit StumpFamily::best(const PairForm& form, Seed /*seed*/, Threads threads) const {
  require(form.rows() == rows_, "the pairs must be of the rows that the family was built on");
  const auto n = static_cast<std::size_t>(rows_);
  std::vector<float> higher(n * kHigherLanes);  // sum_{rank_l > rank_p} M_pl: rows x 64
  std::vector<double> row_sums(n);
  for (Index row = 0; row < rows_; ++row) {
    row_sums[static_cast<std::size_t>(row)] = row_sum(form, row);
  }
  const Index features = std::ssize(columns_);
  std::vector<Cut> cuts(static_cast<std::size_t>(features));
  for (Index first = 0; first < features; first += kLanes) {
    const std::int32_t* ranks = ranks_.data() + first * rows_;
    parallel_for(rows_, threads, kRowsPerTask, [&](Index begin, Index end) {
      for (Index row = begin; row < end; ++row) {
        const auto columns = form.columns(row);
        higher_sums(form.entries(row).data(), columns.data(), columns.size(), ranks,
                    ranks + row * kLanes, higher.data() + row * kLanes);
      }
    });
    const Index end_feature = std::min(features, first + kLanes);
    parallel_for(end_feature - first, threads, kColumnGrain, [&](Index begin, Index end) {
      for (Index feature = first + begin; feature < first + end; ++feature) {
        cuts[static_cast<std::size_t>(feature)] = least_cut(feature, higher, row_sums);
      }
    });
  }
  return bit_of(*std::ranges::min_element(cuts, {}, &Cut::weight), form, threads);  // ties: first
}

/// Rows of equal value may stand in any order: only prefixes that end between two values count.
StumpFamily::Cut StumpFamily::least_cut(Index feature, std::span<const float> higher,
                                        std::span<const double> row_sums) const {
  const std::size_t n = row_sums.size();
  const std::int32_t* ranks = ranks_of(feature);
  const auto lane = static_cast<std::size_t>(feature % kLanes);
  std::vector<double> change(n);  // c_p in sorted order
  for (std::size_t row = 0; row < n; ++row) {
    const auto at = static_cast<std::size_t>(ranks[row * kHigherLanes]);
    change[at] = 2.0 * static_cast<double>(higher[row * kHigherLanes + lane]) - row_sums[row];
  }
  const float* sorted = sorted_.data() + feature * rows_;
  Cut best{.feature = feature};
  double weight = 0.0;
  for (std::size_t rank = 0; rank + 1 < n; ++rank) {
    weight += change[rank];
    if (sorted[rank] < sorted[rank + 1] && weight < best.weight) {
      best.weight = weight;
      best.rank = static_cast<Index>(rank);
    }
  }
  return best;
}

LearnedBit StumpFamily::bit_of(const Cut& cut, const PairForm& form, Threads threads) const {
  LearnedBit bit;
  const float* sorted = sorted_.data() + cut.feature * rows_ + cut.rank;
  bit.function = StumpFunction{columns_[static_cast<std::size_t>(cut.feature)],
                               threshold_between(sorted[0], sorted[1])};
  const std::int32_t* ranks = ranks_of(cut.feature);
  std::vector<float> signs(static_cast<std::size_t>(rows_));
  for (std::size_t row = 0; row < signs.size(); ++row) {
    signs[row] = ranks[row * kHigherLanes] > cut.rank ? 1.0F : -1.0F;
  }
  bit.signs.assign(signs.begin(), signs.end());
  bit.edge = form.value(signs, threads);
  return bit;
}

const std::int32_t* StumpFamily::ranks_of(Index feature) const {
  return ranks_.data() + feature / kLanes * rows_ * kLanes + feature % kLanes;
}

Encoder StumpFamily::assemble(std::span<const LearnedBit> bits) const {
  StumpEncoder encoder{.inputs = inputs_, .columns = {}, .thresholds = {}};
  for (const LearnedBit& bit : bits) {
    const auto& stump = std::get<StumpFunction>(bit.function);
    encoder.columns.push_back(static_cast<std::int32_t>(stump.column));
    encoder.thresholds.push_back(stump.threshold);
  }
  return encoder;
}

}  // namespace structhash
