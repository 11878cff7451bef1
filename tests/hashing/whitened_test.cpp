#include "hashing/families/whitened.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "support/expect_error.hpp"
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

Vector<double> mean_squares(const Matrix<float>& z) {
  return z.cast<double>().array().square().colwise().mean();
}

TEST(ResponseSpace, SharesAreTheMeanSquaresOfWhitenedRows) {
  const Matrix<float> x = features();
  const Whitening whitening{.ridge = 0.01, .power = 3.0};
  const ResponseSpace space(x, Shards(kRows), 2);
  const Matrix<float> z = soft_whitening(space.spectrum(), whitening).apply(x, 1);
  const Vector<double> expected = mean_squares(z);
  const Vector<double> found = shares(space.spectrum().variances, whitening);
  ASSERT_EQ(found.size(), expected.size());
  for (Index column = 0; column < z.cols(); ++column) {
    EXPECT_NEAR(found(column), expected(column), 1e-3 * expected(column)) << column;
  }
  Vector<float> response(kRows);
  const Vector<float> direction = Vector<float>::Ones(z.cols());
  space.whitened(whitening, 2)
      .times({0, kRows}, direction, {response.data(), static_cast<std::size_t>(kRows)}, 2);
  EXPECT_NEAR((response - z * direction).norm(), 0.0, 2e-3 * response.norm());
}

/// The slow twin: singular values of the centred rows in double precision.
void expect_principal_directions(const Matrix<float>& x, double tolerance) {
  const ResponseSpace space(x, Shards(x.rows()), 2);
  const Matrix<double> centred = x.cast<double>().rowwise() - x.cast<double>().colwise().mean();
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(centred, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Vector<double> variances =
      svd.singularValues().array().square() / static_cast<double>(x.rows());
  const Spectrum& found = space.spectrum();
  const Index count = found.variances.size();
  ASSERT_EQ(count, (variances.array() > 1e-7 * variances(0)).count());
  for (Index i = 0; i < count; ++i) {
    EXPECT_NEAR(found.variances(i), variances(i), tolerance * variances(i)) << i;
    const double cosine = found.directions.col(i).cast<double>().dot(svd.matrixV().col(i));
    EXPECT_NEAR(std::abs(cosine), 1.0, tolerance) << i;
  }
  const Matrix<double> components = centred * found.directions.cast<double>();
  EXPECT_LT((components - space.components().cast<double>()).norm(), 1e-5 * components.norm());
}

TEST(ResponseSpace, OfFewerRowsThanFeaturesHasTheDirectionsOfTheCovariance) {
  for (const auto& [rows, columns] :
       {std::pair<Index, Index>{2, 3}, {2, 5000}, {30, 31}, {30, 200}, {64, 9000}}) {
    SCOPED_TRACE(testing::Message() << rows << " x " << columns);
    Matrix<float> x = test::random_matrix(rows, columns, Seed{5});
    for (Index row = 0; row < rows; ++row) {
      x.row(row) *= 1.0F + 0.2F * static_cast<float>(row);  // no two variances are equal
    }
    x.rowwise() += Eigen::RowVectorXf::LinSpaced(columns, -3.0F, 3.0F);
    expect_principal_directions(x, 2e-3);
  }
}

TEST(ResponseSpace, OfFewRowsThatRepeatHasFewerDirections) {
  Matrix<float> x = test::random_matrix(12, 50, Seed{6});
  x.bottomRows(6) = x.topRows(6);
  EXPECT_EQ(ResponseSpace(x, Shards(12), 1).spectrum().variances.size(), 5);
  x.rowwise() = Eigen::RowVectorXf::Constant(50, 0.1F);
  test::expect_error(Errc::usage, "all training features are constant",
                     [&] { ResponseSpace(x, Shards(12), 1); });
}

TEST(ResponseSpace, OfFewRowsIsTheSameForAnyNumberOfThreads) {
  const Matrix<float> x = test::random_matrix(40, 9000, Seed{7});
  const ResponseSpace one(x, Shards(40), 1);
  const ResponseSpace two(x, Shards(40), 2);
  EXPECT_EQ(one.spectrum().directions, two.spectrum().directions);
  EXPECT_EQ(one.components(), two.components());
}

TEST(Dither, GrowsFromNoneToItsSize) {
  const Matrix<float> z = features();
  const LinearFunctions before = functions(12);
  LinearFunctions after = before;
  add_dither(after, mean_squares(z), {.size = 0.5, .bits = 8.0, .seed = Seed{4}});
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
  const Vector<double> sizes = mean_squares(features());
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
  add_dither(after, mean_squares(features()), {});
  EXPECT_EQ(before.directions, after.directions);
  add_dither(after, Vector<double>::Zero(6), {.size = 0.3, .bits = 1.0, .seed = Seed{1}});
  EXPECT_EQ(before.directions, after.directions);
}

}  // namespace
}  // namespace structhash
