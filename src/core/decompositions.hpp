#pragma once

#include "structhash/core/parallel.hpp"
#include "structhash/core/types.hpp"

/// Decompositions of dense matrices.
namespace structhash {

struct EigenPairs {
  Vector<double> values;   // ascending
  Matrix<double> vectors;  // column i belongs to values(i); sign: largest entry positive
};

/// All eigenpairs of a symmetric matrix; checks the stop flag of `threads`.
EigenPairs symmetric_eigen(const Matrix<double>& a, Threads threads = 1);

struct LeadingEigenPairs {
  Vector<double> values;  // descending
  Matrix<float> vectors;  // column i belongs to values(i); sign: largest entry positive
};

/// The eigenpairs of a symmetric matrix whose value is above min_share times the largest, in
/// single precision: a third of the time of symmetric_eigen.  Values below 1e-7 of the largest
/// are rounding.
LeadingEigenPairs leading_eigen(const Matrix<double>& a, double min_share, Threads threads);

/// An orthonormal basis of the columns of `a`, which has at least as many rows as columns (QR).
Matrix<double> orthonormal_basis(const Matrix<double>& a);

struct SingularVectors {
  Matrix<double> left;    // rows x smaller dimension
  Vector<double> values;  // descending
  Matrix<double> right;   // smaller dimension x cols: a = left * diag(values) * right
};

SingularVectors singular_vectors(const Matrix<double>& a);

/// a = L L' of a symmetric positive definite matrix.
class Cholesky {
 public:
  explicit Cholesky(const Matrix<double>& a);
  /// False where `a` is not positive definite: nothing can be solved then.
  bool succeeded() const { return succeeded_; }
  Matrix<double> solve(const Matrix<double>& b) const;        // a^-1 b
  Matrix<double> lower_solve(const Matrix<double>& b) const;  // L^-1 b
  Matrix<double> upper_solve(const Matrix<double>& b) const;  // L^-T b

 private:
  Eigen::MatrixXd lower_;  // column-major; the strict upper triangle is not used
  bool succeeded_;
};

}  // namespace structhash
