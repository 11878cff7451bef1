#include "baselines/agh.hpp"
#include "hashing/nearest_anchors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "baselines/anchor_graph.hpp"
#include "hashing/kmeans.hpp"
#include "structhash/baselines/methods.hpp"
#include "support/expect_error.hpp"
#include "support/random_forms.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;

TEST(Kmeans, FindsFarClusters) {
  const TrainingSet data = test::gaussian_clusters(
      Seed{3}, {.clusters = 2, .rows_per_cluster = 100, .separation = 50.0, .lists = false});
  const Matrix<float> centres = kmeans(data.x, 2, 20, Seed{1}, 2, {});
  for (Index cluster = 0; cluster < 2; ++cluster) {
    Vector<float> mean = Vector<float>::Zero(data.x.cols());
    for (Index row = cluster; row < 200; row += 2) {
      mean += data.x.row(row).transpose() / 100.0F;
    }
    EXPECT_LT((centres.rowwise() - mean.transpose()).rowwise().norm().minCoeff(), 1e-3F);
  }
}

/// The dense twin: A = Z L^-1 Z^T has y as an eigenvector, orthogonal to the constant.
TEST(AnchorGraph, FunctionsAreEigenvectors) {
  const Matrix<float> x = test::random_matrix(300, 3, Seed{1});
  const Matrix<float> anchors = x.topRows(20);
  const TrainingGraph graph(x, anchors, 5, 2);
  const Matrix<double> functions = graph.smoothest_functions(4);
  ASSERT_EQ(functions.rows(), 4);
  const AnchorGraphEncoder encoder = graph.encoder(functions, 8, 2);
  const NearestAnchors near = nearest_anchors(encoder.anchors, 5, x);
  const std::vector<double> weights = anchor_weights(near, 5, static_cast<double>(encoder.gamma));
  Matrix<double> z = Matrix<double>::Zero(300, encoder.anchors.rows());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    z(static_cast<Index>(i) / 5, near.anchors[i]) = weights[i];
  }
  const Vector<double> masses = z.colwise().sum();
  const Matrix<double> affinity = z * masses.cwiseInverse().asDiagonal() * z.transpose();
  for (Index f = 0; f < 4; ++f) {
    const Vector<double> y = z * functions.row(f).transpose();
    EXPECT_NEAR(y.mean(), 0.0, 1e-9);
    EXPECT_NEAR(y.squaredNorm(), 300.0, 1e-6);
    const double eigenvalue = y.dot(affinity * y) / 300.0;
    EXPECT_LT((affinity * y - eigenvalue * y).norm(), 1e-6);
  }
}

/// The second cut, by its definition: among all cuts with mean 0, none is smoother.
TEST(AnchorGraph, SecondCutIsTheSmoothest) {
  const Matrix<float> x = test::random_matrix(200, 2, Seed{4});
  const TrainingGraph graph(x, x.topRows(15), 4, 1);
  const Matrix<double> functions = graph.smoothest_functions(1);
  const AnchorGraphEncoder encoder = graph.encoder(functions, 2, 2);
  const NearestAnchors near = nearest_anchors(encoder.anchors, 4, x);
  const std::vector<double> weights = anchor_weights(near, 4, static_cast<double>(encoder.gamma));
  Matrix<double> z = Matrix<double>::Zero(200, encoder.anchors.rows());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    z(static_cast<Index>(i) / 4, near.anchors[i]) = weights[i];
  }
  const Vector<double> masses = z.colwise().sum();
  const Vector<double> y = z * functions.row(0).transpose();
  const auto positive = y.array() > 0.0;
  const double n1 = to_double(positive.count());
  const auto roughness = [&](double high) {  // low follows from mean 0
    const double low = (n1 * high - y.cwiseAbs().sum()) / (200.0 - n1);
    const Vector<double> f = positive.select(y.array() - high, -y.array() + low).matrix();
    EXPECT_NEAR(f.sum(), 0.0, 1e-9);
    const Vector<double> shared = z.transpose() * f;
    return f.squaredNorm() - shared.dot(shared.cwiseQuotient(masses));
  };
  const auto high = static_cast<double>(encoder.high[1]);
  EXPECT_NEAR(encoder.low[1], (n1 * high - y.cwiseAbs().sum()) / (200.0 - n1), 1e-5);
  EXPECT_LT(roughness(high), roughness(high + 0.05));
  EXPECT_LT(roughness(high), roughness(high - 0.05));
}

TEST(Agh, FirstHalfOfTheBitsAreThoseOfOneLayer) {
  const TrainingSet data = test::gaussian_clusters(
      Seed{5}, {.clusters = 4, .rows_per_cluster = 100, .separation = 2.0, .lists = false});
  const AghParams two{.bits = 10, .anchors = 60, .neighbours = 4};
  AghParams one = two;
  one.bits = 5;
  const CodeMatrix both = encode(fit_agh(data, two, {}), data.x, 1);
  const CodeMatrix first = encode(fit_agh1(data, one, {}), data.x, 1);
  for (Index row = 0; row < data.x.rows(); ++row) {
    ASSERT_EQ(both.words()[static_cast<std::size_t>(row)] & 0b11111U,
              first.words()[static_cast<std::size_t>(row)]);
  }
}

TEST(Agh, NamesWhatToChange) {
  const TrainingSet data = test::gaussian_clusters(Seed{1});  // 60 rows
  expect_error(Errc::bad_data, "agh: 61 anchors for 60 training rows; use fewer anchors",
               [&] { fit_agh(data, {.anchors = 61}, {}); });
  expect_error(Errc::bad_data, "agh1: 6 neighbours of 5 anchors",
               [&] { fit_agh1(data, {.anchors = 5, .neighbours = 6}, {}); });
  expect_error(Errc::bad_data, "more neighbours", [&] {
    fit_agh({.x = Matrix<float>::Ones(20, 3), .labels = {}, .lists = {}}, {}, {});
  });
}

TEST(Agh, TheModelSaysHowManyAnchorsItHas) {
  const TrainingSet data = test::gaussian_clusters(Seed{1});  // 60 rows
  EXPECT_NE(fit_agh(data, {}, {}).parameters.find(R"("anchors":30)"), std::string::npos);
  MethodOptions options{.bits = 6};
  options.extra = {{"anchors", "auto"}};
  EXPECT_EQ(find_method("agh").make(options)->fit(data, {}), fit_agh(data, {.bits = 6}, {}));
}

TEST(Agh, OptionsAreRead) {
  const TrainingSet data = test::gaussian_clusters(Seed{1});
  MethodOptions options{.bits = 6};
  options.extra = {{"anchors", "20"}, {"neighbours", "3"}, {"iterations", "2"}};
  EXPECT_EQ(find_method("agh1").make(options)->fit(data, {}),
            fit_agh1(data, {.bits = 6, .anchors = 20, .neighbours = 3, .iterations = 2}, {}));
}

}  // namespace
}  // namespace structhash
