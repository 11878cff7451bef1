#include "evaluation/generated.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.hpp"

namespace structhash {
namespace {

TEST(Generated, TheSameBytesForAnyNumberOfThreads) {
  const GeneratedVectors shape{.rows = 5000, .dimension = 9, .clusters = 7, .seed = 3};
  const Matrix<float> x = generate(shape, 1);
  EXPECT_EQ(x, generate(shape, 2));
  EXPECT_EQ(x, generate(shape, 5));
  GeneratedVectors other = shape;
  other.seed = 4;
  EXPECT_NE(x, generate(other, 1));
  // More rows begin with the same ones.
  other = shape;
  other.rows = 6000;
  EXPECT_EQ(generate(other, 2).topRows(4096), x.topRows(4096));
}

/// Column j has variance s_j^2 (1 + 1), s_j^2 = 1 / (1 + j / 8), once there are many clusters.
TEST(Generated, TheSpectrumFalls) {
  const Matrix<float> x =
      generate({.rows = 40'000, .dimension = 25, .clusters = 20'000, .seed = 1}, 2);
  for (const Index column : {0, 8, 24}) {
    const auto values = x.col(column).cast<double>();
    const double variance = (values.array() - values.mean()).square().mean();
    EXPECT_NEAR(variance, 2.0 / (1.0 + to_double(column) / 8.0), 0.05 * variance) << column;
  }
}

TEST(Generated, RefusesWhatIsEmpty) {
  test::expect_error(Errc::usage, "at least one row", [] { generate({.rows = 0}, 1); });
  test::expect_error(Errc::usage, "one cluster", [] { generate({.rows = 5, .clusters = 0}, 1); });
}

}  // namespace
}  // namespace structhash
