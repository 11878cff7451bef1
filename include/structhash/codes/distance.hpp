#pragma once

#include <memory>
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

/// What a differing bit costs: 1, the weight of the bit, or a weight of the query and the bit.
class BitWeights {
 public:
  BitWeights() = default;                            // plain Hamming distance
  BitWeights(std::span<const float> bit_weights);    // NOLINT(google-explicit-constructor): a view
  BitWeights(const std::vector<float>& bit_weights)  // NOLINT(google-explicit-constructor): a view
      : BitWeights(std::span(bit_weights)) {}
  /// queries x bits; the matrix outlives this.  Signs are ignored.
  static BitWeights of_queries(const Matrix<float>& values);

  bool plain() const { return common_ == nullptr && values_.empty(); }
  /// Throws unless the weights are for this many queries and bits.
  void check(Index queries, Index bits) const;
  /// The weights of a query; nullptr: plain Hamming distance.
  std::shared_ptr<const WeightTable> table(Index query) const;

 private:
  std::shared_ptr<const WeightTable> common_;
  std::span<const float> values_;
  Index queries_ = 0;
  Index bits_ = 0;
};

}  // namespace structhash
