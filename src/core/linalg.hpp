#pragma once

#include <cmath>

#include "structhash/core/parallel.hpp"
#include "structhash/core/types.hpp"

/// Large dense products with OpenBLAS (docs/adr/0008).  Our threads run blocks of
/// fixed size with single-threaded BLAS, so the bytes do not depend on the number of threads.
namespace structhash {

/// a * b^T: rows of `a` against rows of `b`.
Matrix<float> product_abt(const MatrixView& a, const MatrixView& b, Threads threads);

/// a * b.
Matrix<float> product(const MatrixView& a, const MatrixView& b, Threads threads);

/// result = a * b on the calling thread: for small products inside a parallel loop.
void product_into(const MatrixView& a, const MatrixView& b,
                  Eigen::Ref<Matrix<float>, 0, Eigen::OuterStride<>> result);

/// Correctly rounded square roots.  In single precision, those of Eigen begin with an estimate of
/// the processor, and processors of different makers estimate differently.
template <typename Derived>
auto square_roots(const Eigen::ArrayBase<Derived>& x) {
  return x.unaryExpr([](float value) { return std::sqrt(value); });
}

/// a * b^T in double precision, on the calling thread.
Matrix<double> wide_product_abt(const MatrixView& a, const MatrixView& b);

/// a^T * b in single precision, on the calling thread: for few rows.
Matrix<float> narrow_product_atb(const MatrixView& a, const MatrixView& b);

/// a^T * b, summed in double precision.
Matrix<double> product_atb(const MatrixView& a, const MatrixView& b, Threads threads);

/// a^T * a: products in single precision over short blocks of rows, summed in double.
Matrix<double> gram(const MatrixView& a, Threads threads);

/// result = a * x and result = a^T * x; rows in blocks of fixed size, sums in block order.
void matrix_vector(const MatrixView& a, const Vector<float>& x, Vector<float>& result,
                   Threads threads);
void transposed_vector(const MatrixView& a, const Vector<float>& x, Vector<float>& result,
                       Threads threads);

}  // namespace structhash
