#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/row_range.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/types.hpp"

namespace structhash {

/// A matrix in half precision (IEEE binary16): products with vectors read half as much memory as in
/// single precision.  Values must be below 65,504; they keep 11 significant bits.
class HalfMatrix {
 public:
  HalfMatrix() = default;
  explicit HalfMatrix(const MatrixView& a)
      : HalfMatrix(a, Vector<float>::Ones(a.cols()), Threads(1)) {}
  /// The first scales.size() columns of `a`, each times its scale.
  HalfMatrix(const MatrixView& a, const Vector<float>& scales, Threads threads);
  /// These blocks along the diagonal; the zeros beside them are not stored.
  static HalfMatrix diagonal(std::vector<HalfMatrix> blocks);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }

  /// result = rows * x and result = rows^T * x.  Blocks of fixed size, sums in block order: the
  /// bytes do not depend on the number of threads.
  void times(RowRange rows, const Vector<float>& x, std::span<float> result, Threads threads) const;
  void transposed_times(RowRange rows, std::span<const float> x, Vector<float>& result,
                        Threads threads) const;
  /// The same for several vectors at once: x has a column for each.
  Matrix<float> times(RowRange rows, const Matrix<float>& x, Threads threads) const;
  Matrix<double> transposed_times(RowRange rows, const MatrixView& x, Threads threads) const;

 private:
  Matrix<float> floats(RowRange rows) const;
  template <typename Use>
  bool visit_blocks(RowRange rows, const Use& use) const;
  const std::uint16_t* row(Index at) const { return values_.data() + at * stride_; }

  Index rows_ = 0;
  Index cols_ = 0;
  Index stride_ = 0;  // columns, padded with zeros
  std::vector<std::uint16_t> values_;
  std::vector<HalfMatrix> blocks_;  // of a block diagonal matrix, which has no values of its own
};

}  // namespace structhash
