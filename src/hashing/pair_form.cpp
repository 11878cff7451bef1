#include "hashing/pair_form.hpp"

#include <utility>

#include "hashing/simd/sparse_dot.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kPairGrain = 512;

}  // namespace

PairForm::PairForm(const Shards& shards, std::span<const std::int32_t> left,
                   std::span<const std::int32_t> right)
    : shards_(shards), row_start_(static_cast<std::size_t>(shards.rows()) + 1, 0) {
  require(left.size() == right.size(), "a pair has two ends");
  require(left.size() <= INT32_MAX, "too many pairs; use shorter relevance lists");
  for (std::size_t pair = 0; pair < left.size(); ++pair) {
    ++row_start_[static_cast<std::size_t>(left[pair]) + 1];
    ++row_start_[static_cast<std::size_t>(right[pair]) + 1];
  }
  for (std::size_t row = 1; row < row_start_.size(); ++row) {
    row_start_[row] += row_start_[row - 1];
  }
  all_columns_.resize(2 * left.size());
  pair_of_entry_.resize(2 * left.size());
  filled_.assign(row_start_.size() - 1, 0);
  columns_.resize(2 * left.size());
  entries_.resize(2 * left.size());
  std::vector<std::int64_t> next(row_start_.begin(), row_start_.end() - 1);
  const auto place = [&](std::int32_t row, std::int32_t column, std::size_t pair) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(row)]++);
    all_columns_[at] = column;
    pair_of_entry_[at] = static_cast<std::int32_t>(pair);
  };
  for (std::size_t pair = 0; pair < left.size(); ++pair) {
    place(left[pair], right[pair], pair);
    place(right[pair], left[pair], pair);
  }
}

void PairForm::set_weights(std::span<const float> pair_weights, Threads threads) {
  require(2 * pair_weights.size() == entries_.size(), "one weight per pair");
  parallel_for(rows(), threads, kPairGrain, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      std::size_t to = start(row);
      for (std::size_t from = start(row); from < start(row + 1); ++from) {
        const float weight = pair_weights[static_cast<std::size_t>(pair_of_entry_[from])];
        columns_[to] = all_columns_[from];
        entries_[to] = 0.5F * weight;
        to += weight != 0.0F ? 1 : 0;  // a zero is overwritten by the next entry
      }
      filled_[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(to - start(row));
    }
  });
}

void PairForm::multiply(std::span<const float> s, std::span<float> result, Threads threads) const {
  parallel_for(rows(), threads, kPairGrain, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const auto columns = this->columns(row);
      const auto entries = this->entries(row);
      result[static_cast<std::size_t>(row)] =
          sparse_dot(entries.data(), columns.data(), columns.size(), s.data());
    }
  });
}

double PairForm::value(std::span<const float> s, Threads threads) const {
  std::vector<float> product(s.size());
  multiply(s, product, threads);
  const auto add_rows = [&](Index shard, std::span<double> part) {
    const RowRange range = shards_.rows(shard);
    for (auto row = static_cast<std::size_t>(range.begin); std::cmp_less(row, range.end); ++row) {
      part[0] += static_cast<double>(s[row]) * static_cast<double>(product[row]);
    }
  };
  return 0.5 * shards_.sum(1, add_rows)[0];
}

}  // namespace structhash
