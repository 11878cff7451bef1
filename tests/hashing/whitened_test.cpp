#include "hashing/families/whitened.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_forms.hpp"

namespace structhash {
namespace {

constexpr Index kRows = 4'000;

/// Features that do not correlate, each of its own size.
Matrix<float> features() {
  Matrix<float> z = test::random_matrix(kRows, 6, Seed{1});
  for (Index column = 0; column < z.cols(); ++column) {
    z.col(column) *= static_cast<float>(1 + column);
  }
  return z;
}

LinearFunctions functions(Index bits) {
  return {test::random_matrix(bits, 6, Seed{2}).cast<double>(),
          test::random_matrix(bits, 1, Seed{3}).cast<double>()};
}

double rms(const Matrix<float>& z, const Vector<double>& direction) {
  return (z.cast<double>() * direction).norm() / std::sqrt(static_cast<double>(z.rows()));
}

TEST(Dither, MeanSquaresAreThoseOfTheColumns) {
  const Matrix<float> z = features();
  const Vector<double> found = mean_squares(z, Shards(kRows));
  for (Index column = 0; column < z.cols(); ++column) {
    double sum = 0.0;
    for (Index row = 0; row < kRows; ++row) {
      sum += static_cast<double>(z(row, column)) * static_cast<double>(z(row, column));
    }
    EXPECT_NEAR(found(column), sum / kRows, 1e-6 * sum / kRows);
  }
}

TEST(Dither, GrowsFromNoneToItsSize) {
  const Matrix<float> z = features();
  const LinearFunctions before = functions(12);
  LinearFunctions after = before;
  add_dither(after, mean_squares(z, Shards(kRows)), {.size = 0.5, .bits = 8.0, .seed = Seed{4}});
  for (Index bit = 0; bit < 12; ++bit) {
    const Vector<double> learned = before.directions.row(bit);
    const Vector<double> added = after.directions.row(bit) - before.directions.row(bit);
    const double expected = 0.5 * std::min(1.0, static_cast<double>(bit) / 8.0);
    EXPECT_NEAR(rms(z, added) / rms(z, learned), expected, 0.05) << bit;
  }
  EXPECT_EQ(before.directions.row(0), after.directions.row(0));
  EXPECT_EQ(before.offsets, after.offsets);
}

TEST(Dither, IsDecidedByTheSeedAndTheBitAlone) {
  const Vector<double> sizes = mean_squares(features(), Shards(kRows));
  const Dither dither{.size = 0.3, .bits = 2.0, .seed = Seed{5}};
  LinearFunctions few = functions(12);
  LinearFunctions same = few;
  LinearFunctions other = few;
  add_dither(few, sizes, dither);
  add_dither(same, sizes, dither);
  add_dither(other, sizes, {.size = 0.3, .bits = 2.0, .seed = Seed{6}});
  EXPECT_EQ(few.directions, same.directions);
  EXPECT_NE(few.directions.row(5), other.directions.row(5));
}

TEST(Dither, NoneAndVanishingFeaturesChangeNothing) {
  const LinearFunctions before = functions(4);
  LinearFunctions after = before;
  add_dither(after, mean_squares(features(), Shards(kRows)), {});
  EXPECT_EQ(before.directions, after.directions);
  add_dither(after, Vector<double>::Zero(6), {.size = 0.3, .bits = 1.0, .seed = Seed{1}});
  EXPECT_EQ(before.directions, after.directions);
}

}  // namespace
}  // namespace structhash
