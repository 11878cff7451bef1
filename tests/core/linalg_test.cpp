#include "core/linalg.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "structhash/core/error.hpp"
#include "structhash/core/rng.hpp"

namespace structhash {
namespace {

Matrix<float> random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Rng rng(Seed{seed});
  return Matrix<float>::NullaryExpr(rows, cols, [&] { return static_cast<float>(rng.normal()); });
}

TEST(Linalg, ProductsEqualTheNaiveOnes) {
  const auto a = random_matrix(700, 13, 1);
  const auto b = random_matrix(9, 13, 2);
  const auto c = random_matrix(700, 5, 3);
  for (const int threads : {1, 3}) {
    EXPECT_LT((product_abt(a, b, threads) - a * b.transpose()).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((product(a, b.transpose(), threads) - a * b.transpose()).cwiseAbs().maxCoeff(), 1e-5);
    const Matrix<double> expected = a.cast<double>().transpose() * c.cast<double>();
    EXPECT_LT((product_atb(a, c, threads) - expected).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(Linalg, SquareRootsAreCorrectlyRounded) {
  Vector<float> x = random_matrix(1001, 1, 5).cwiseAbs2();
  x(7) = 0.0F;
  const Vector<float> roots = square_roots(x.array());
  for (Index i = 0; i < x.size(); ++i) {
    EXPECT_EQ(roots(i), std::sqrt(x(i))) << x(i);
  }
}

TEST(Linalg, GramEqualsTheNaiveProduct) {
  for (const Index columns : {1, 255, 300, 520}) {  // one and several tiles
    const auto a = random_matrix(1100, columns, 4);
    const Matrix<double> found = gram(a, 3);
    const Matrix<double> expected = a.cast<double>().transpose() * a.cast<double>();
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-6 * expected.maxCoeff());
    EXPECT_EQ(found, found.transpose());
    EXPECT_EQ(found, gram(a, 1)) << "any number of threads";
  }
}

TEST(Linalg, ProductIntoFillsABlockAndNothingElse) {
  const auto a = random_matrix(7, 5, 1);
  const auto b = random_matrix(5, 6, 2);
  Matrix<float> c = Matrix<float>::Constant(9, 8, 3.0F);
  product_into(a.topRows(4), b.leftCols(3), c.block(2, 1, 4, 3));
  const Matrix<float> expected = a.topRows(4) * b.leftCols(3);
  EXPECT_LT((c.block(2, 1, 4, 3) - expected).cwiseAbs().maxCoeff(), 1e-5F);
  EXPECT_EQ((c.array() == 3.0F).count(), 9 * 8 - 4 * 3);
  EXPECT_THROW(product_into(a, b, c), Error);
  EXPECT_THROW(product_into(b, b, c), Error);
}

TEST(Linalg, SameBytesForAnyNumberOfThreads) {
  const auto a = random_matrix(9'001, 17, 4);
  EXPECT_EQ(product_atb(a, a, 1), product_atb(a, a, 4));
  EXPECT_EQ(product_abt(a, a.topRows(5), 1), product_abt(a, a.topRows(5), 4));
}

TEST(Linalg, RefusesMismatchedShapes) {
  const auto a = random_matrix(3, 4, 6);
  const auto b = random_matrix(2, 5, 7);
  EXPECT_THROW(product_abt(a, b, 1), Error);
  EXPECT_THROW(product(a, b, 1), Error);
  EXPECT_THROW(product_atb(a, b, 1), Error);
}

}  // namespace
}  // namespace structhash
