#pragma once

#include "search/scan/block_scanner.hpp"
#include "structhash/codes/distance.hpp"

namespace structhash::search {

/// What weighted scanners of all batches share: sums of weights per byte and per field.
class WeightSums {
 public:
  explicit WeightSums(std::span<const float> bit_weights);

  const WeightTable& table() const { return table_; }
  std::size_t words() const { return words_; }
  /// Sums per field and pattern, for the field layout of the CPU, and the bits below the one it
  /// drops of every word.
  const float* fields() const { return field_sums_.data(); }
  std::span<const std::uint64_t> below_dropped() const { return below_dropped_; }
  /// 16 sums per half byte.
  const float* half_bytes() const { return half_byte_sums_.data(); }
  /// An upper bound of all distances.
  float max_distance() const { return max_distance_; }

 private:
  WeightTable table_;
  std::size_t words_;
  std::vector<std::uint64_t> below_dropped_;
  std::vector<float> field_sums_;
  std::vector<float> half_byte_sums_;
  float max_distance_ = 0.0F;
};

/// Weighted Hamming distance: bounds from small tables, exact sums for the rows that pass them.
std::unique_ptr<BlockScanner> make_weighted_scanner(const QueryCodes& queries,
                                                    const WeightSums& weights);

}  // namespace structhash::search
