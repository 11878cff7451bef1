#pragma once

#include <span>
#include <vector>

#include "structhash/codes/code_matrix.hpp"

/// Distances between codes, Eq. (6): the simple versions that every fast kernel is tested against.
namespace structhash {

/// Number of bits in which two codes differ.
Index hamming(CodeView a, CodeView b);

/// Weighted Hamming distance, Eq. (6): the weights of the bits in which two codes differ, summed in
/// float over byte tables in ascending byte order: equal XOR patterns give bit-identical sums.
class WeightTable {
 public:
  explicit WeightTable(std::span<const float> bit_weights);  // finite, >= 0, finite sum
  float distance(CodeView a, CodeView b) const;
  Index bits() const { return bits_; }
  /// 256 partial sums per byte of a code, byte 0 first; whole words, so 8 bytes per word.
  std::span<const float> entries() const { return table_; }

 private:
  Index bits_;
  std::vector<float> table_;
};

}  // namespace structhash
