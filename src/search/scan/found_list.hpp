#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "structhash/search/search_engine.hpp"

namespace structhash::search {

inline constexpr float kNoLimit = std::numeric_limits<float>::infinity();

/// Rows found for one query in a range of at most 2^32 rows, as keys that sort by distance, then
/// row: the bits of a float that is not negative are ordered as its value is.
class FoundList {
 public:
  float limit = kNoLimit;  // rows further away are not added

  void offer(float distance, std::size_t row_in_range) {
    if (distance <= limit) {
      keys_.push_back((std::uint64_t{std::bit_cast<std::uint32_t>(distance)} << 32U) |
                      row_in_range);
    }
  }
  std::size_t size() const { return keys_.size(); }

  /// Keeps the k nearest.  Rows come in ascending order, so a later row as far as the k-th loses.
  void tighten(std::size_t k) {
    if (keys_.size() < k) {
      return;
    }
    const auto last = keys_.begin() + static_cast<std::ptrdiff_t>(k) - 1;
    std::nth_element(keys_.begin(), last, keys_.end());
    limit = std::nextafter(distance_of(*last), -1.0F);
    keys_.resize(k);
  }

  /// Distance of the k-th nearest; needs k rows.
  float kth_distance(std::size_t k) {
    const auto last = keys_.begin() + static_cast<std::ptrdiff_t>(k) - 1;
    std::nth_element(keys_.begin(), last, keys_.end());
    return distance_of(*last);
  }

  /// Appends what was found, rows counted from `first_row`.
  void append_to(std::vector<Neighbour>& list, Index first_row) const {
    for (const std::uint64_t key : keys_) {
      list.push_back({distance_of(key), first_row + static_cast<Index>(key & 0xFFFFFFFFU)});
    }
  }
  void sort() { std::ranges::sort(keys_); }

 private:
  static float distance_of(std::uint64_t key) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32U));
  }
  std::vector<std::uint64_t> keys_;
};

}  // namespace structhash::search
