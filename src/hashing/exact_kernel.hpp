#pragma once

#include <span>
#include <vector>

#include "structhash/hashing/encoders.hpp"

namespace structhash {

/// Sum of squares in double.
double squared_norm(const float* values, Index size);

/// Exact signs of kernel functions, for values that are uncertain in float.
/// Keeps a reference to the encoder.
class ExactKernel {
 public:
  explicit ExactKernel(const KernelEncoder& encoder);

  double largest_anchor() const { return largest_anchor_; }  // norm

  /// The responses of a row in double, from norms and products.
  std::vector<double> responses(const MatrixView& x, Index row) const;

  /// The same of several rows.  Their rounding depends on the processor, within the same bound.
  Matrix<double> responses(const MatrixView& x, std::span<const Index> rows) const;

  /// A value with the sign of the definition (docs/format.md), given the responses of its row.
  double value(const MatrixView& x, Index row, Index bit, std::span<const double> responses) const;

 private:
  const KernelEncoder& encoder_;
  std::vector<double> squared_norms_;  // of the anchors
  double largest_anchor_;
};

}  // namespace structhash
