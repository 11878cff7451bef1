#include "structhash/hashing/families/stump.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "hashing/families/binned_features.hpp"
#include "hashing/simd/higher_sums.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kLanes = kHigherLanes;
constexpr Index kRowGrain = 256;
constexpr Index kColumnGrain = 8;

struct Cut {
  double weight = std::numeric_limits<double>::infinity();  // of the pairs it separates
  std::size_t feature = 0;
  std::size_t rank = 0;  // of the last row below it
};

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

StumpFamily::StumpFamily(const MatrixView& x, int threads) : rows_(x.rows()), inputs_(x.cols()) {
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
/// is the least prefix sum of its c_p in sorted order.  Rows of equal value may stand in any order:
/// only prefixes that end between two values count.
LearnedBit StumpFamily::best(const PairForm& form, Seed /*seed*/, int threads) const {
  require(form.rows() == rows_, "the pairs must be of the rows that the family was built on");
  const Index features = std::ssize(columns_);
  const auto n = static_cast<std::size_t>(rows_);
  std::vector<float> higher(n * kHigherLanes);  // rows x 64
  std::vector<double> row_sums(n);
  for (Index row = 0; row < rows_; ++row) {
    row_sums[static_cast<std::size_t>(row)] = row_sum(form, row);
  }
  std::vector<Cut> cuts(static_cast<std::size_t>(features));
  for (Index first = 0; first < features; first += kLanes) {
    const std::int32_t* ranks = ranks_.data() + first * rows_;
    parallel_for(rows_, threads, kRowGrain, [&](Index begin, Index end) {
      for (Index row = begin; row < end; ++row) {
        const auto columns = form.columns(row);
        higher_sums(form.entries(row).data(), columns.data(), columns.size(), ranks,
                    ranks + row * kLanes, higher.data() + row * kLanes);
      }
    });
    const Index lanes = std::min(kLanes, features - first);
    parallel_for(lanes, threads, kColumnGrain, [&](Index begin, Index end) {
      std::vector<double> change(n);  // c_p in sorted order
      for (Index lane = begin; lane < end; ++lane) {
        for (std::size_t row = 0; row < n; ++row) {
          const std::size_t at = row * kHigherLanes + static_cast<std::size_t>(lane);
          change[static_cast<std::size_t>(ranks[at])] =
              2.0 * static_cast<double>(higher[at]) - row_sums[row];
        }
        const auto feature = static_cast<std::size_t>(first + lane);
        const float* sorted = sorted_.data() + feature * n;
        double cut = 0.0;
        for (std::size_t rank = 0; rank + 1 < n; ++rank) {
          cut += change[rank];
          if (sorted[rank] < sorted[rank + 1] && cut < cuts[feature].weight) {
            cuts[feature] = {cut, feature, rank};
          }
        }
      }
    });
  }
  const Cut best = *std::ranges::min_element(cuts, {}, &Cut::weight);  // ties: the first

  LearnedBit bit;
  const float* sorted = sorted_.data() + best.feature * n + best.rank;
  bit.function = StumpFunction{columns_[best.feature], threshold_between(sorted[0], sorted[1])};
  const std::size_t block = best.feature / kHigherLanes * n * kHigherLanes;
  const std::int32_t* rank = ranks_.data() + block + best.feature % kHigherLanes;
  std::vector<float> signs(n);
  for (std::size_t row = 0; row < n; ++row) {
    const auto own = static_cast<std::size_t>(rank[row * kHigherLanes]);
    signs[row] = own > best.rank ? 1.0F : -1.0F;
  }
  bit.signs.assign(signs.begin(), signs.end());
  bit.edge = form.value(signs, threads);
  return bit;
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
