#include "core/decompositions.hpp"

#include <lapacke.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <string>

#include "core/blas.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kEigenBlock = 256;  // eigenvectors that a thread transforms at once

template <typename T>
using ColumnMatrixOf = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;  // LAPACK's order
using ColumnMatrix = ColumnMatrixOf<double>;

void check_lapack(const char* routine, int status) {
  if (status != 0) {
    fail(Errc::solver_failure, "a matrix decomposition failed (LAPACK " + std::string(routine) +
                                   " status " + std::to_string(status) +
                                   "); are the features finite?");
  }
}

/// The routines of LAPACK in both precisions.
struct Lapack {
  static constexpr auto sytrd(float /*of*/) { return LAPACKE_ssytrd; }
  static constexpr auto sytrd(double /*of*/) { return LAPACKE_dsytrd; }
  static constexpr auto stedc(float /*of*/) { return LAPACKE_sstedc; }
  static constexpr auto stedc(double /*of*/) { return LAPACKE_dstedc; }
  static constexpr auto ormtr(float /*of*/) { return LAPACKE_sormtr; }
  static constexpr auto ormtr(double /*of*/) { return LAPACKE_dormtr; }
};

/// LAPACK's syevd in its three steps:  A = Q T Q',  T = Z diag(values) Z',  vectors = Q Z.  Between
/// them the stop flag is checked.
template <typename T>
class Tridiagonal {
 public:
  Tridiagonal(const Matrix<T>& a, Threads threads)
      : q_(a), values_(a.rows()), reflections_(a.rows()) {
    require(a.rows() == a.cols(), "an eigenproblem needs a square matrix");
    if (a.rows() == 0) {
      return;
    }
    prepare_blas();
    threads.stop_if_asked();
    Vector<T> off_diagonal(a.rows());
    check_lapack("sytrd",
                 Lapack::sytrd(T{})(LAPACK_COL_MAJOR, 'U', size(), q_.data(), size(),
                                    values_.data(), off_diagonal.data(), reflections_.data()));
    threads.stop_if_asked();
    z_.resize(a.rows(), a.rows());
    check_lapack("stedc", Lapack::stedc(T{})(LAPACK_COL_MAJOR, 'I', size(), values_.data(),
                                             off_diagonal.data(), z_.data(), size()));
  }

  const Vector<T>& values() const { return values_; }  // ascending

  /// Q z_i for i = first, first + 1, ...  LAPACK may write into q and restore it, so that every
  /// block needs a copy.
  ColumnMatrixOf<T> vectors_from(Index first, Threads threads) const {
    ColumnMatrixOf<T> vectors = z_.rightCols(z_.cols() - first);
    parallel_for(vectors.cols(), threads, kEigenBlock, [&](Index begin, Index end) {
      ColumnMatrixOf<T> q = q_;
      check_lapack("ormtr",
                   Lapack::ormtr(T{})(LAPACK_COL_MAJOR, 'L', 'U', 'N', size(),
                                      to_blas_int(end - begin), q.data(), size(),
                                      reflections_.data(), vectors.col(begin).data(), size()));
    });
    return vectors;
  }

 private:
  int size() const { return to_blas_int(q_.rows()); }

  ColumnMatrixOf<T> q_;
  Vector<T> values_;
  Vector<T> reflections_;
  ColumnMatrixOf<T> z_;
};

template <typename Matrix>
void make_largest_entries_positive(Matrix& vectors) {
  for (Index column = 0; column < vectors.cols(); ++column) {
    Index largest = 0;
    vectors.col(column).cwiseAbs().maxCoeff(&largest);
    if (vectors(largest, column) < 0) {
      vectors.col(column) *= -1;
    }
  }
}

}  // namespace

EigenPairs symmetric_eigen(const Matrix<double>& a, Threads threads) {
  Tridiagonal<double> form(a, threads);
  EigenPairs pairs{form.values(), form.vectors_from(0, threads)};
  make_largest_entries_positive(pairs.vectors);
  return pairs;
}

LeadingEigenPairs leading_eigen(const Matrix<double>& a, double min_share, Threads threads) {
  const double scale = a.size() > 0 ? a.cwiseAbs().maxCoeff() : 0.0;
  if (!(scale > 0.0)) {
    return {Vector<double>(0), Matrix<float>(a.rows(), 0)};
  }
  Tridiagonal<float> form((a / scale).cast<float>(), threads);  // in the range of a float
  const Vector<float>& values = form.values();
  const Index columns = values.size();
  const auto floor = static_cast<float>(min_share) * values(columns - 1);
  const Index first = std::ranges::upper_bound(values, floor) - values.begin();
  LeadingEigenPairs pairs{values.tail(columns - first).reverse().cast<double>() * scale,
                          form.vectors_from(first, threads).rowwise().reverse()};
  make_largest_entries_positive(pairs.vectors);
  return pairs;
}

Matrix<double> orthonormal_basis(const Matrix<double>& a) {
  require(a.rows() >= a.cols() && a.cols() > 0, "orthonormal_basis needs a tall matrix");
  prepare_blas();
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
  prepare_blas();
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
