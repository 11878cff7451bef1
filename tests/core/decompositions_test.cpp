#include "core/decompositions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "structhash/core/error.hpp"
#include "structhash/core/rng.hpp"

namespace structhash {
namespace {

Matrix<double> random_doubles(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(Seed{seed});
  return Matrix<double>::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

/// Positive definite.
Matrix<double> random_covariance(Index size, std::uint64_t seed) {
  const Matrix<double> x = random_doubles(2 * size, size, seed);
  return x.transpose() * x;
}

double distance_from_identity(const Matrix<double>& a) {
  return (a - Matrix<double>::Identity(a.rows(), a.cols())).norm();
}

TEST(Decompositions, EigenPairsHaveSmallResidual) {
  const Matrix<double> a = random_covariance(20, 5);
  const EigenPairs pairs = symmetric_eigen(a);
  const Matrix<double> residual =
      a * pairs.vectors - pairs.vectors * pairs.values.asDiagonal().toDenseMatrix();
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-10 * a.norm());
  EXPECT_LT(distance_from_identity(pairs.vectors.transpose() * pairs.vectors), 1e-12);
  EXPECT_TRUE(std::is_sorted(pairs.values.begin(), pairs.values.end()));
}

TEST(Decompositions, LeadingPairsAreThoseOfDoublePrecision) {
  Matrix<double> a = 1e12 * random_covariance(600, 6);  // several blocks of vectors
  const EigenPairs all = symmetric_eigen(a);
  const LeadingEigenPairs pairs = leading_eigen(a, 0.3, 2);
  const double largest = all.values(599);
  EXPECT_EQ(pairs.values.size(), (all.values.array() > 0.3 * largest).count());
  EXPECT_TRUE(std::is_sorted(pairs.values.begin(), pairs.values.end(), std::greater<>()));
  const Matrix<double> vectors = pairs.vectors.cast<double>();
  const Matrix<double> residual = a * vectors - vectors * pairs.values.asDiagonal().toDenseMatrix();
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-5 * largest);
  EXPECT_LT(distance_from_identity(vectors.transpose() * vectors), 1e-4);
  for (Index i = 0; i < pairs.values.size(); ++i) {
    EXPECT_NEAR(pairs.values(i), all.values(599 - i), 1e-6 * largest) << i;
  }
  EXPECT_EQ(leading_eigen(a, 0.3, 1).vectors, pairs.vectors) << "any number of threads";
  EXPECT_EQ(leading_eigen(Matrix<double>::Zero(3, 3), 0.1, 1).values.size(), 0);
}

TEST(Decompositions, AnOrthonormalBasisSpansTheColumns) {
  const Matrix<double> a = random_doubles(12, 5, 1);
  const Matrix<double> q = orthonormal_basis(a);
  EXPECT_LT(distance_from_identity(q.transpose() * q), 1e-12);
  EXPECT_LT((q * (q.transpose() * a) - a).norm(), 1e-12 * a.norm());
  EXPECT_THROW(orthonormal_basis(random_doubles(5, 12, 1)), Error);
}

TEST(Decompositions, SingularVectorsMultiplyToTheMatrix) {
  for (const Matrix<double>& a : {random_doubles(9, 4, 2), random_doubles(4, 9, 3)}) {
    const SingularVectors svd = singular_vectors(a);
    EXPECT_LT((svd.left * svd.values.asDiagonal() * svd.right - a).norm(), 1e-12 * a.norm());
    EXPECT_LT(distance_from_identity(svd.left.transpose() * svd.left), 1e-12);
    EXPECT_LT(distance_from_identity(svd.right * svd.right.transpose()), 1e-12);
    EXPECT_TRUE(std::is_sorted(svd.values.begin(), svd.values.end(), std::greater<>()));
  }
}

TEST(Decompositions, CholeskySolves) {
  const Matrix<double> a = random_covariance(7, 4);
  const Matrix<double> b = random_doubles(7, 3, 5);
  const Cholesky factor(a);
  ASSERT_TRUE(factor.succeeded());
  EXPECT_LT((a * factor.solve(b) - b).norm(), 1e-10 * b.norm());
  const Matrix<double> whitening = factor.lower_solve(Matrix<double>::Identity(7, 7));
  EXPECT_LT(distance_from_identity(whitening * a * whitening.transpose()), 1e-10);
  EXPECT_EQ(factor.upper_solve(factor.lower_solve(b)), factor.solve(b));
}

TEST(Decompositions, CholeskyRefusesAnIndefiniteMatrix) {
  EXPECT_FALSE(Cholesky(Matrix<double>{{1.0, 2.0}, {2.0, 1.0}}).succeeded());
}

}  // namespace
}  // namespace structhash
