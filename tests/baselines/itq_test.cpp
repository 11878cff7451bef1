#include "baselines/itq.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "baselines/rotation.hpp"
#include "structhash/baselines/methods.hpp"
#include "support/expect_error.hpp"
#include "support/random_forms.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;

double corner_error(const Matrix<float>& v, const Matrix<double>& rotation) {
  const Matrix<double> turned = v.cast<double>() * rotation;
  return (turned.array().abs() - 1.0).square().sum();
}

/// Corners of a cube, turned by 30 degrees in the plane: the rotation must turn them back.
TEST(ItqRotation, TurnsACubeBack) {
  const double c = std::sqrt(0.75);
  const double s = 0.5;
  const Matrix<double> turn{{c, -s}, {s, c}};
  const Matrix<double> corners{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
  const Matrix<float> v = (corners * turn).cast<float>();
  const Matrix<double> rotation = itq_rotation(v, 2, {}, Seed{1}, 1, {});
  EXPECT_LT(corner_error(v, rotation), 1e-10);
}

TEST(ItqRotation, IsOrthonormalInItsShorterDirection) {
  const Matrix<float> v = test::random_matrix(50, 6, Seed{1});
  for (const Index bits : {1, 6, 9}) {
    SCOPED_TRACE(bits);
    const Matrix<double> r = itq_rotation(v, bits, {}, Seed{2}, 2, {});
    ASSERT_EQ(r.rows(), 6);
    ASSERT_EQ(r.cols(), bits);
    const Matrix<double> gram = bits <= 6 ? Matrix<double>(r.transpose() * r) : r * r.transpose();
    EXPECT_LT((gram - Matrix<double>::Identity(gram.rows(), gram.cols())).norm(), 1e-10);
  }
}

TEST(ItqRotation, ErrorNeverGrowsWithIterations) {
  const Matrix<float> v = test::random_matrix(200, 8, Seed{3});
  double before = std::numeric_limits<double>::infinity();
  for (const Index iterations : {0, 1, 2, 5, 50}) {
    const double error =
        corner_error(v, itq_rotation(v, 8, {.iterations = iterations}, Seed{4}, 1, {}));
    EXPECT_LE(error, before + 1e-6);
    before = error;
  }
}

/// PCA alone would give the second axis, which carries next to nothing, a bit of noise.
TEST(Itq, SpreadsVarianceOverTheBits) {
  Matrix<float> x = test::random_matrix(500, 2, Seed{5});
  x.col(0) *= 10.0F;
  const HashModel model = fit_itq({.x = x, .labels = {}, .lists = {}}, {.bits = 2}, {});
  const auto& directions = std::get<LinearEncoder>(model.encoder).directions;
  for (Index bit = 0; bit < 2; ++bit) {
    EXPECT_GT(std::abs(directions(bit, 0)), 0.3F * directions.row(bit).norm())
        << "a bit ignores the axis of most variance";
  }
}

TEST(Itq, MoreBitsThanColumnsRotateZeros) {
  const TrainingSet data = test::gaussian_clusters(Seed{1}, {.dimension = 3});
  const HashModel model = fit_itq(data, {.bits = 10}, {});
  EXPECT_EQ(model.bits(), 10);
  EXPECT_EQ(model.parameters, R"({"bits":10,"functions":"linear","iterations":50,"seed":1})");
}

TEST(Itq, OptionsAreRead) {
  const TrainingSet data = test::gaussian_clusters(Seed{1});
  MethodOptions options{.bits = 6};
  options.extra.emplace("iterations", "2");
  EXPECT_EQ(find_method("itq").make(options)->fit(data, {}),
            fit_itq(data, {.bits = 6, .iterations = 2}, {}));
  options.extra = {{"iterations", "-1"}};
  expect_error(Errc::usage, "iterations must be at least 0, got -1",
               [&] { find_method("itq").make(options); });
}

TEST(Itq, TakesKernelFeatures) {
  const TrainingSet data = test::gaussian_clusters(Seed{1});
  MethodOptions options{.bits = 6, .functions = "kernel"};
  options.extra.emplace("anchors", "20");
  const HashModel model = find_method("itq").make(options)->fit(data, {});
  EXPECT_EQ(std::get<KernelEncoder>(model.encoder).anchors.rows(), 20);
}

}  // namespace
}  // namespace structhash
