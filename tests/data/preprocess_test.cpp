#include "data/preprocess.hpp"

#include <gtest/gtest.h>

#include "data/files.hpp"
#include "structhash/core/rng.hpp"

namespace structhash {
namespace {

Matrix<float> random_rows(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(Seed{seed});
  const Matrix<double> mix =
      Matrix<double>::NullaryExpr(columns, columns, [&] { return rng.normal(); });
  const Matrix<double> x = Matrix<double>::NullaryExpr(rows, columns, [&] { return rng.normal(); });
  return ((x * mix).array() + 3.0).cast<float>();
}

/// The slow twin: two passes in double, no blocks.
Matrix<double> naive_covariance(const Matrix<float>& x) {
  const Matrix<double> wide = x.cast<double>();
  const Matrix<double> centred = wide.rowwise() - wide.colwise().mean();
  return centred.transpose() * centred / to_double(x.rows());
}

TEST(Preprocess, CentreAndMinMaxByHand) {
  const Matrix<float> x{{1, 10, 7}, {3, 30, 7}};
  EXPECT_EQ(fit_centre(x).apply(x, 1), (Matrix<float>{{-1, -10, 0}, {1, 10, 0}}));
  EXPECT_EQ(fit_min_max(x).apply(x, 1), (Matrix<float>{{0, 0, 0}, {1, 1, 0}}));
  EXPECT_EQ(fit_min_max(x).apply(Matrix<float>{{2, 50, 9}}, 1), (Matrix<float>{{0.5, 2, 0}}));
}

TEST(Preprocess, PcaOfALineIsItsDirection) {
  // points on (1, 1)/sqrt(2) at -2, 0, 2 around (5, 5); variance 8/3
  const float s = 2.0F / std::sqrt(2.0F);
  const Matrix<float> x{{5 - s, 5 - s}, {5, 5}, {5 + s, 5 + s}};
  const Matrix<float> y = fit_pca(x, 1, 1).apply(x, 1);
  EXPECT_LT((y - Matrix<float>{{-2}, {0}, {2}}).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(Preprocess, PcaDiagonalisesTheCovariance) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{500, 6}, {7, 40}}) {
    SCOPED_TRACE(rows);
    const Matrix<float> x = random_rows(rows, columns, 3);
    const Index components = 5;
    const AffineMap pca = fit_pca(x, components, 2);
    const Matrix<double> axes = pca.matrix.cast<double>();
    EXPECT_LT((axes.transpose() * axes - Matrix<double>::Identity(5, 5)).norm(), 1e-5);
    const Matrix<double> covariance = naive_covariance(x);
    const Matrix<double> small = naive_covariance(pca.apply(x, 1));
    for (Index i = 0; i < components; ++i) {
      // C v = lambda v, with lambda the variance along v
      EXPECT_LT((covariance * axes.col(i) - small(i, i) * axes.col(i)).norm(),
                1e-4 * covariance.norm());
      EXPECT_LE(small(i, i), i == 0 ? covariance.trace() : small(i - 1, i - 1));
    }
    EXPECT_EQ(pca, fit_pca(x, components, 1));  // same bytes for any number of threads
  }
}

TEST(Preprocess, BothWaysToThePrincipalAxesAgree) {
  const Matrix<float> wide = random_rows(8, 9, 4);  // by inner products
  Matrix<float> tall(16, 9);                        // each row twice: same covariance
  tall << wide, wide;
  EXPECT_LT((fit_pca(wide, 4, 1).matrix - fit_pca(tall, 4, 1).matrix).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Preprocess, WhiteningGivesUnitVarianceDownToTheFloor) {
  const Matrix<float> x = random_rows(400, 5, 7);
  const Matrix<double> white = naive_covariance(fit_whitening(x, 5, 0.0, 1).apply(x, 1));
  EXPECT_LT((white - Matrix<double>::Identity(5, 5)).cwiseAbs().maxCoeff(), 1e-3);

  // variances 4 and 0.01: with floor 0.25 the second is divided by sqrt(1), so 0.01 stays
  const Matrix<float> y{{2, 0.1F}, {2, -0.1F}, {-2, 0.1F}, {-2, -0.1F}};
  const Matrix<double> floored = naive_covariance(fit_whitening(y, 2, 0.25, 1).apply(y, 1));
  EXPECT_NEAR(floored(0, 0), 1.0, 1e-5);
  EXPECT_NEAR(floored(1, 1), 0.01, 1e-6);
}

TEST(Preprocess, ConstantColumnsNeverGiveNaN) {
  Matrix<float> x = random_rows(30, 4, 9);
  x.col(2).setConstant(1e6F);
  const Matrix<float> constant = Matrix<float>::Constant(10, 3, 0.1F);
  for (const Matrix<float>& data :
       {x, constant, Matrix<float>(x.topRows(1)), Matrix<float>(x.topRows(3))}) {
    const Index most = std::min(data.rows(), data.cols());
    for (const AffineMap& map :
         {fit_centre(data), fit_min_max(data), fit_pca(data, most, 1),
          fit_whitening(data, most, 0.0, 1), fit_whitening(data, most, 1e-3, 1)}) {
      EXPECT_TRUE(map.apply(data, 1).allFinite());
      EXPECT_LT(map.apply(data, 1).cwiseAbs().maxCoeff(), 100.0F);
    }
  }
}

TEST(Preprocess, FoldedFunctionsEqualFunctionsOfTheMappedRow) {
  const Matrix<float> x = random_rows(60, 5, 11);
  for (const AffineMap& map :
       {fit_centre(x), fit_min_max(x), fit_pca(x, 3, 1), fit_whitening(x, 3, 1e-3, 1)}) {
    Rng rng(Seed{12});
    LinearFunctions f{Matrix<double>::NullaryExpr(4, map.outputs(), [&] { return rng.normal(); }),
                      Vector<double>::NullaryExpr(4, [&] { return rng.normal(); })};
    const LinearFunctions folded = fold(map, f);
    const Matrix<double> direct =
        (map.apply(x, 1).cast<double>() * f.directions.transpose()).rowwise() +
        f.offsets.transpose();
    const Matrix<double> at_once =
        (x.cast<double>() * folded.directions.transpose()).rowwise() + folded.offsets.transpose();
    EXPECT_LT((direct - at_once).cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_THROW(fold(map, {Matrix<double>::Zero(1, 9), Vector<double>::Zero(1)}), Error);
  }
}

TEST(Preprocess, NormaliseRows) {
  Matrix<float> x{{3, 4}, {0, 0}, {1e30F, 0}, {1e-30F, 0}};
  normalise_rows(x);
  EXPECT_TRUE(x.isApprox(Matrix<float>{{0.6F, 0.8F}, {0, 0}, {1, 0}, {1, 0}}));
}

TEST(Preprocess, RefusesNonsense) {
  const Matrix<float> x = random_rows(10, 4, 1);
  EXPECT_THROW(fit_centre(Matrix<float>(0, 3)), Error);
  EXPECT_THROW(fit_min_max(Matrix<float>(0, 3)), Error);
  EXPECT_THROW(fit_pca(x, 0, 1), Error);
  test::expect_error(Errc::usage, {"principal components must be 1 to 4", "got 5"},
                     [&] { fit_pca(x, 5, 1); });
  EXPECT_THROW(fit_whitening(x, 2, -0.1, 1), Error);
  EXPECT_THROW(fit_whitening(x, 2, 1.1, 1), Error);
  test::expect_error(Errc::usage, {"4 columns", "have 3"},
                     [&] { fit_centre(x).apply(Matrix<float>::Zero(1, 3), 1); });
}

}  // namespace
}  // namespace structhash
