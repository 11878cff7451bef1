#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/simd/sort_keys.hpp"
#include "evaluation/tie_aware.hpp"

/// From distances and relevance (0 or 1) of every item to tie groups in ascending distance.
namespace structhash {

/// The numbers of items, and of relevant ones, at each distance 0..largest.
std::vector<TieGroup> count_by_distance(std::span<const std::uint16_t> distances,
                                        std::span<const std::uint8_t> relevant, Index largest);

/// Small whole distances: counted, never sorted.
class CountingGrouper {
 public:
  explicit CountingGrouper(Ties ties) : ties_(ties) {}
  void group(std::span<const std::uint16_t> distances, std::span<const std::uint8_t> relevant,
             const std::vector<TieGroup>& by_distance, std::vector<TieGroup>& groups);

 private:
  Ties ties_;
  std::vector<std::uint8_t> in_order_;  // relevance in (distance, id) order
};

/// Real distances: sorted.  Floats must not be negative; doubles may be anything but NaN, and those
/// at +infinity are left out.  At most 2^32 items.
class SortingGrouper {
 public:
  explicit SortingGrouper(Ties ties) : ties_(ties) {}
  void group(std::span<const float> distances, std::span<const std::uint8_t> relevant,
             std::vector<TieGroup>& groups);
  void group(std::span<const double> distances, std::span<const std::uint8_t> relevant,
             std::vector<TieGroup>& groups);

 private:
  Ties ties_;
  KeySorter sorter_;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint64_t> keys_with_id_;
  std::vector<WideKey> wide_keys_;
};

}  // namespace structhash
