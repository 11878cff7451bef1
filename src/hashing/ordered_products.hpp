#pragma once

#include "structhash/core/types.hpp"

namespace structhash {

/// start(b) + sum over the columns, in order, of directions(b, column) x(row, column), in double:
/// rows x directions.  A product of two floats is exact in double, so the result is the same on
/// every processor.  Sums of one row run side by side, which the compiler vectorises; zeros, most
/// of an image, are skipped, which changes no sum.
inline Matrix<double> ordered_products(const MatrixView& x, const Matrix<float>& directions,
                                       const Vector<double>& start) {
  const Matrix<double> by_column = directions.transpose().cast<double>();
  Matrix<double> sums = start.transpose().replicate(x.rows(), 1);
  for (Index row = 0; row < x.rows(); ++row) {
    for (Index column = 0; column < x.cols(); ++column) {
      const auto value = static_cast<double>(x(row, column));
      if (value != 0.0) {
        sums.row(row) += value * by_column.row(column);
      }
    }
  }
  return sums;
}

}  // namespace structhash
