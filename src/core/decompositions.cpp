#include "core/decompositions.hpp"

#include <lapacke.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <string>

#include "core/blas.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kEigenBlock = 256;  // eigenvectors transformed between two checks of the stop flag

using ColumnMatrix = Eigen::MatrixXd;  // LAPACK's order

void check_lapack(const char* routine, int status) {
  if (status != 0) {
    fail(Errc::solver_failure, "a matrix decomposition failed (LAPACK " + std::string(routine) +
                                   " status " + std::to_string(status) +
                                   "); are the features finite?");
  }
}

}  // namespace

/// LAPACK's dsyevd in its three steps,  A = Q T Q',  T = Z diag(values) Z',  vectors = Q Z.  Each
/// takes half a second for 2,000 columns; between them the stop flag is checked.  LAPACK may write
/// into q and restore it, so only one thread transforms vectors.
EigenPairs symmetric_eigen(const Matrix<double>& a, Threads threads) {
  require(a.rows() == a.cols(), "symmetric_eigen needs a square matrix");
  use_single_threaded_blas();
  const Index columns = a.rows();
  EigenPairs pairs{Vector<double>(columns), Matrix<double>(columns, columns)};
  if (columns == 0) {
    return pairs;
  }
  const int size = to_blas_int(columns);
  threads.stop_if_asked();
  ColumnMatrix q = a;
  Vector<double> off_diagonal(columns);
  Vector<double> reflections(columns);
  check_lapack("dsytrd",
               LAPACKE_dsytrd(LAPACK_COL_MAJOR, 'U', size, q.data(), size, pairs.values.data(),
                              off_diagonal.data(), reflections.data()));
  threads.stop_if_asked();
  ColumnMatrix z(columns, columns);
  check_lapack("dstedc", LAPACKE_dstedc(LAPACK_COL_MAJOR, 'I', size, pairs.values.data(),
                                        off_diagonal.data(), z.data(), size));
  for (Index begin = 0; begin < columns; begin += kEigenBlock) {
    threads.stop_if_asked();
    const Index count = std::min(kEigenBlock, columns - begin);
    check_lapack("dormtr",
                 LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'U', 'N', size, to_blas_int(count), q.data(),
                                size, reflections.data(), z.col(begin).data(), size));
  }
  pairs.vectors = z;
  for (Index column = 0; column < pairs.vectors.cols(); ++column) {
    Index largest = 0;
    pairs.vectors.col(column).cwiseAbs().maxCoeff(&largest);
    if (pairs.vectors(largest, column) < 0.0) {
      pairs.vectors.col(column) *= -1.0;
    }
  }
  return pairs;
}

Matrix<double> orthonormal_basis(const Matrix<double>& a) {
  require(a.rows() >= a.cols() && a.cols() > 0, "orthonormal_basis needs a tall matrix");
  use_single_threaded_blas();
  ColumnMatrix q = a;
  const int rows = to_blas_int(a.rows());
  const int cols = to_blas_int(a.cols());
  Vector<double> reflections(a.cols());
  check_lapack("dgeqrf",
               LAPACKE_dgeqrf(LAPACK_COL_MAJOR, rows, cols, q.data(), rows, reflections.data()));
  check_lapack("dorgqr", LAPACKE_dorgqr(LAPACK_COL_MAJOR, rows, cols, cols, q.data(), rows,
                                        reflections.data()));
  return q;
}

SingularVectors singular_vectors(const Matrix<double>& a) {
  require(a.size() > 0, "singular_vectors needs a matrix that is not empty");
  use_single_threaded_blas();
  ColumnMatrix copy = a;
  const Index rank = std::min(a.rows(), a.cols());
  ColumnMatrix left(a.rows(), rank);
  ColumnMatrix right(rank, a.cols());
  Vector<double> values(rank);
  const int rows = to_blas_int(a.rows());
  check_lapack("dgesdd",
               LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', rows, to_blas_int(a.cols()), copy.data(), rows,
                              values.data(), left.data(), rows, right.data(), to_blas_int(rank)));
  return {left, values, right};
}

Cholesky::Cholesky(const Matrix<double>& a) : lower_(a) {
  require(a.rows() == a.cols(), "a Cholesky factor needs a square matrix");
  succeeded_ = Eigen::LLT<Eigen::Ref<ColumnMatrix>>(lower_).info() == Eigen::Success;
}

Matrix<double> Cholesky::solve(const Matrix<double>& b) const {
  return upper_solve(lower_solve(b));
}

Matrix<double> Cholesky::lower_solve(const Matrix<double>& b) const {
  ColumnMatrix x = b;
  lower_.triangularView<Eigen::Lower>().solveInPlace(x);
  return x;
}

Matrix<double> Cholesky::upper_solve(const Matrix<double>& b) const {
  ColumnMatrix x = b;
  lower_.triangularView<Eigen::Lower>().adjoint().solveInPlace(x);
  return x;
}

}  // namespace structhash
