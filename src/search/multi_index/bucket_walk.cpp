#include "search/multi_index/bucket_walk.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "search/multi_index/simd/row_distances.hpp"

namespace structhash::search {
namespace {

bool row_allowed(std::span<const std::uint64_t> allowed, std::uint32_t row) {
  return allowed.empty() || ((allowed[row / 64] >> (row % 64)) & 1U) != 0;
}

class BucketWalk {
 public:
  BucketWalk(const BucketWalkData& data, CodeView query, std::span<const std::uint64_t> allowed,
             ResultList& list)
      : data_(data), query_(query), allowed_(allowed), list_(list), at_(data.orders.size()) {
    for (std::size_t table = 0; table < at_.size(); ++table) {
      at_[table].value = substring_value(query, data.tables->substrings()[table]);
    }
  }

  bool run() {
    std::size_t next_check = list_.limit_is_fixed() ? 0 : data_.budget / 16;
    double bound = 0.0;
    while (bound * data_.rounding <= limit()) {
      if (spent_ >= next_check) {
        if (!within_reach()) {
          return false;
        }
        next_check = std::max(2 * next_check, data_.budget / 16);
        expected_fall_ = (1.0 + expected_fall_) / 2.0;
      }
      const std::size_t table = best_table(at_);
      if (table == at_.size() || !advance(table)) {
        return false;
      }
      list_.settle();
      bound = bound_of(at_);
      if (std::isinf(bound)) {
        return true;  // every bucket of one table, so every row, was visited
      }
    }
    return true;
  }

 private:
  struct Place {
    std::uint32_t value = 0;  // of the query's substring
    std::size_t step = 0;     // next one in the order of flips
    std::size_t begin = 0;    // where it begins
    double cost = 0.0;        // of the next flip mask
  };

  double limit() const { return static_cast<double>(list_.limit().distance); }

  static double bound_of(std::span<const Place> places) {
    double bound = 0.0;
    for (const Place& place : places) {
      bound += place.cost;
    }
    return bound;
  }

  const FlipStep& next_step(std::span<const Place> places, std::size_t table) const {
    return data_.orders[table].steps[places[table].step];
  }

  static void advance_to_next(Place& place, const FlipStep& step) {
    place.begin = step.end;
    place.cost = step.next_cost;
    ++place.step;
  }

  /// Simulates the rest of the walk: would the bound pass the limit within the budget?  Assumes
  /// buckets of average size, and that a falling limit ends at expected_fall_ of its value.
  bool within_reach() const {
    const double target = (list_.limit_is_fixed() ? 1.0 : expected_fall_) * limit();
    std::vector<Place> places = at_;
    auto left = static_cast<double>(data_.budget - spent_);
    while (bound_of(places) <= target) {
      const std::size_t table = best_table(places);
      if (table == places.size() || left < 0.0) {
        return false;
      }
      const FlipStep& step = next_step(places, table);
      const double rows_per_bucket = std::ldexp(
          to_double(data_.codes.rows), -static_cast<int>(data_.tables->substrings()[table].length));
      left -= static_cast<double>(step.end - places[table].begin) * (1.0 + rows_per_bucket);
      advance_to_next(places[table], step);
    }
    return left >= 0.0;
  }

  /// The table whose next step raises the bound most per bucket visited.
  std::size_t best_table(std::span<const Place> places) const {
    std::size_t best = places.size();
    double best_gain = -1.0;
    for (std::size_t table = 0; table < places.size(); ++table) {
      const Place& place = places[table];
      if (place.step == data_.orders[table].steps.size()) {
        continue;  // no masks are left
      }
      const FlipStep& step = next_step(places, table);
      const double gain =
          (step.next_cost - place.cost) / static_cast<double>(step.end - place.begin);
      if (gain > best_gain) {
        best = table;
        best_gain = gain;
      }
    }
    return best;
  }

  bool advance(std::size_t table) {
    Place& place = at_[table];
    const FlipStep& step = next_step(at_, table);
    const auto masks =
        std::span(data_.orders[table].masks).subspan(place.begin, step.end - place.begin);
    if (!visit(table, masks)) {
      return false;
    }
    advance_to_next(place, step);
    return true;
  }

  /// In groups, to prefetch the memory of a whole group at once: first the positions of buckets,
  /// then the buckets, then the codes of their rows.
  bool visit(std::size_t table, std::span<const std::uint32_t> masks) {
    const std::uint32_t value = at_[table].value;
    std::array<std::span<const std::uint32_t>, kGroup> buckets;
    for (std::size_t first = 0; first < masks.size(); first += kGroup) {
      const auto group = masks.subspan(first, std::min(kGroup, masks.size() - first));
      for (const std::uint32_t mask : group) {
        hwy::Prefetch(data_.tables->starts_at(table, value ^ mask));
      }
      std::size_t rows = 0;
      for (std::size_t i = 0; i < group.size(); ++i) {
        buckets[i] = data_.tables->bucket(table, value ^ group[i]);
        hwy::Prefetch(buckets[i].data());
        rows += buckets[i].size();
      }
      spent_ += group.size() + rows;
      if (spent_ > data_.budget) {
        return false;
      }
      for (std::size_t i = 0; i < group.size(); ++i) {
        collect_rows(buckets[i]);
      }
    }
    compute_distances();
    return true;
  }

  void collect_rows(std::span<const std::uint32_t> bucket) {
    const auto words_per_code = static_cast<std::size_t>(data_.codes.words_per_code());
    for (const std::uint32_t row : bucket) {
      if (static_cast<Index>(row) >= data_.codes.rows) {
        BucketTables::fail_damaged();
      }
      if (!row_allowed(allowed_, row)) {
        continue;
      }
      hwy::Prefetch(data_.codes.words.data() + row * words_per_code);
      rows_[count_++] = row;
      if (count_ == rows_.size()) {
        compute_distances();
      }
    }
  }

  void compute_distances() {
    if (data_.weights == nullptr) {
      row_distances(data_.codes.words.data(), query_.size(), rows_.data(), count_, query_.data(),
                    distances_.data());
    } else {
      for (std::size_t i = 0; i < count_; ++i) {
        distances_[i] = data_.weights->distance(query_, data_.codes.row(rows_[i]));
      }
    }
    for (std::size_t i = 0; i < count_; ++i) {
      if (distances_[i] <= list_.limit().distance) {
        list_.add({distances_[i], static_cast<Index>(rows_[i])});
      }
    }
    count_ = 0;
  }

  static constexpr std::size_t kGroup = 64;
  static constexpr std::size_t kBlock = 256;

  const BucketWalkData& data_;
  CodeView query_;
  std::span<const std::uint64_t> allowed_;
  ResultList& list_;
  std::vector<Place> at_;
  std::size_t spent_ = 0;
  double expected_fall_ = 0.9;  // random codes: from 17 at a sixteenth of the budget to 15
  std::size_t count_ = 0;       // rows whose distance is not yet computed
  std::array<std::uint32_t, kBlock> rows_{};
  std::array<float, kBlock> distances_{};
};

}  // namespace

bool walk_buckets(const BucketWalkData& data, CodeView query,
                  std::span<const std::uint64_t> allowed, ResultList& list) {
  return BucketWalk(data, query, allowed, list).run();
}

}  // namespace structhash::search
