#include "core/half_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "structhash/core/error.hpp"
#include "support/random_forms.hpp"

namespace structhash {
namespace {

/// The slow twin: the same values, rounded by Eigen.
Matrix<double> rounded(const Matrix<float>& a) {
  return a.cast<Eigen::half>().cast<double>();
}

std::span<float> span_of(Vector<float>& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

/// Rows and columns that are and are not multiples of what a task or a vector holds.
TEST(HalfMatrix, ProductsAreThoseOfRoundedValues) {
  for (const Index rows : {1, 3, 4, 255, 256, 1030}) {
    for (const Index columns : {1, 15, 16, 17, 100}) {
      const Matrix<float> a = test::random_matrix(rows, columns, Seed{1});
      const Vector<float> x = test::random_matrix(columns, 1, Seed{2});
      const Vector<float> y = test::random_matrix(rows, 1, Seed{3});
      const HalfMatrix half(a);
      Vector<float> ax(rows);
      Vector<float> aty;
      half.times({0, rows}, x, span_of(ax), 2);
      half.transposed_times({0, rows}, {y.data(), static_cast<std::size_t>(rows)}, aty, 2);
      const Vector<double> expected = rounded(a) * x.cast<double>();
      const Vector<double> transposed = rounded(a).transpose() * y.cast<double>();
      EXPECT_LT((ax.cast<double>() - expected).norm(), 1e-5 * (1.0 + expected.norm()));
      EXPECT_LT((aty.cast<double>() - transposed).norm(), 1e-5 * (1.0 + transposed.norm()));
      Vector<float> one_thread(rows);
      half.times({0, rows}, x, span_of(one_thread), 1);
      EXPECT_EQ(one_thread, ax);
    }
  }
}

TEST(HalfMatrix, SeveralVectorsAtOnce) {
  for (const Index rows : {1, 255, 513, 1030}) {
    const Matrix<float> a = test::random_matrix(rows, 37, Seed{1});
    const Matrix<float> x = test::random_matrix(37, 5, Seed{2});
    const Matrix<float> y = test::random_matrix(rows, 5, Seed{3});
    const HalfMatrix half(a);
    const Matrix<float> ax = half.times({0, rows}, x, 2);
    const Matrix<double> aty = half.transposed_times({0, rows}, y, 2);
    const Matrix<double> expected = rounded(a) * x.cast<double>();
    const Matrix<double> transposed = rounded(a).transpose() * y.cast<double>();
    EXPECT_LT((ax.cast<double>() - expected).norm(), 1e-5 * (1.0 + expected.norm()));
    EXPECT_LT((aty - transposed).norm(), 1e-5 * (1.0 + transposed.norm()));
    EXPECT_EQ(half.times({0, rows}, x, 1), ax);
    EXPECT_EQ(half.transposed_times({0, rows}, y, 1), aty);
    const RowRange half_of_them{rows / 2, rows};
    EXPECT_LT((half.times(half_of_them, x, 1) - ax.bottomRows(rows - rows / 2)).norm(), 1e-5);
  }
  const HalfMatrix half(test::random_matrix(4, 3, Seed{1}));
  EXPECT_THROW(half.times({0, 4}, Matrix<float>::Zero(2, 2), 1), Error);
  EXPECT_THROW(half.transposed_times({0, 4}, Matrix<float>::Zero(3, 2), 1), Error);
}

TEST(HalfMatrix, PartsOfTheRowsAndScaledColumns) {
  const Matrix<float> a = test::random_matrix(40, 6, Seed{4});
  Vector<float> scales(3);
  scales << 2.0F, 0.5F, 8.0F;  // exact
  const HalfMatrix half(a, scales, 1);
  EXPECT_EQ(half.rows(), 40);
  EXPECT_EQ(half.cols(), 3);
  const Vector<float> x = test::random_matrix(3, 1, Seed{5});
  Vector<float> found(10);
  half.times({20, 30}, x, span_of(found), 1);
  const Vector<double> expected = rounded(a.leftCols(3)).middleRows(20, 10) *
                                  scales.cast<double>().asDiagonal() * x.cast<double>();
  EXPECT_LT((found.cast<double>() - expected).norm(), 1e-5 * expected.norm());
}

/// The slow twin holds the zeros.
TEST(HalfMatrix, BlockDiagonal) {
  const std::vector<Matrix<float>> blocks{test::random_matrix(300, 5, Seed{1}),
                                          test::random_matrix(20, 17, Seed{2}),
                                          test::random_matrix(7, 3, Seed{3})};
  Matrix<float> dense = Matrix<float>::Zero(327, 25);
  dense.block(0, 0, 300, 5) = blocks[0];
  dense.block(300, 5, 20, 17) = blocks[1];
  dense.block(320, 22, 7, 3) = blocks[2];
  const HalfMatrix half = HalfMatrix::diagonal({blocks.begin(), blocks.end()});
  ASSERT_EQ(half.rows(), 327);
  ASSERT_EQ(half.cols(), 25);
  const Matrix<float> x = test::random_matrix(25, 4, Seed{4});
  for (const auto& [begin, end] : {std::pair<Index, Index>{0, 327}, {290, 325}, {305, 315}}) {
    const RowRange rows{begin, end};
    const Matrix<float> y = test::random_matrix(rows.size(), 4, Seed{5});
    const auto close = [](const auto& a, const Matrix<double>& b) {
      return (a.template cast<double>() - b).norm() < 1e-5 * (1.0 + b.norm());
    };
    const Matrix<double> part = rounded(dense).middleRows(begin, rows.size());
    EXPECT_TRUE(close(half.times(rows, x, 2), part * x.cast<double>()));
    EXPECT_TRUE(close(half.transposed_times(rows, y, 2), part.transpose() * y.cast<double>()));
    Vector<float> product(rows.size());
    half.times(rows, Vector<float>(x.col(0)), span_of(product), 2);
    EXPECT_TRUE(close(product, part * x.col(0).cast<double>()));
    Vector<float> column = y.col(0);
    Vector<float> sums;
    half.transposed_times(rows, span_of(column), sums, 2);
    EXPECT_TRUE(close(sums, part.transpose() * column.cast<double>()));
  }
}

TEST(HalfMatrix, OtherSizesAreRefused) {
  const HalfMatrix half(test::random_matrix(4, 3, Seed{1}));
  Vector<float> result(4);
  EXPECT_THROW(half.times({0, 4}, Vector<float>::Ones(2), span_of(result), 1), Error);
  EXPECT_THROW(half.times({0, 3}, Vector<float>::Ones(3), span_of(result), 1), Error);
  EXPECT_THROW(HalfMatrix(test::random_matrix(4, 3, Seed{1}), Vector<float>::Ones(4), 1), Error);
}

}  // namespace
}  // namespace structhash
