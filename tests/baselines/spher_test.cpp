#include "baselines/spher.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "structhash/baselines/methods.hpp"
#include "support/expect_error.hpp"
#include "support/random_forms.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;

Index ones(const CodeMatrix& codes, Index a, Index b) {
  Index count = 0;
  for (Index row = 0; row < codes.rows(); ++row) {
    count += codes.bit(row, a) && codes.bit(row, b) ? 1 : 0;
  }
  return count;
}

TEST(Spher, HalfTheRowsInABallAndAQuarterInTwo) {
  const Matrix<float> x = test::random_matrix(1'000, 10, Seed{1});
  const HashModel model = fit_spher({.x = x, .labels = {}, .lists = {}}, {.bits = 16}, {});
  const CodeMatrix codes = encode(model, x, 1);
  double error = 0.0;
  for (Index a = 0; a < 16; ++a) {
    EXPECT_NEAR(to_double(ones(codes, a, a)), 500.0, 1.0);
    for (Index b = 0; b < a; ++b) {
      error += std::abs(to_double(ones(codes, a, b)) - 250.0) / 120.0;
    }
  }
  EXPECT_LE(error, 25.0 + 1.0) << "the balls do not meet the test they are stopped by";
}

TEST(Spher, IterationsImproveTheBalanceAndAreCapped) {
  const Matrix<float> x = test::random_matrix(500, 4, Seed{2});
  const TrainingSet data{.x = x, .labels = {}, .lists = {}};
  const auto error = [&](Index iterations) {
    const HashModel model = fit_spher(
        data,
        {.bits = 12, .iterations = iterations, .mean_tolerance = 0.0, .spread_tolerance = 0.0}, {});
    const CodeMatrix codes = encode(model, x, 1);
    double sum = 0.0;
    for (Index a = 0; a < 12; ++a) {
      for (Index b = 0; b < a; ++b) {
        sum += std::abs(to_double(ones(codes, a, b)) - 125.0);
      }
    }
    return sum;
  };
  EXPECT_LT(error(30), 0.6 * error(0));
}

TEST(Spher, OptionsAreRead) {
  const TrainingSet data = test::gaussian_clusters(Seed{1});
  MethodOptions options{.bits = 6};
  options.extra = {{"iterations", "3"}, {"mean-tolerance", "0.2"}, {"spread-tolerance", "0.3"}};
  EXPECT_EQ(
      find_method("spher").make(options)->fit(data, {}),
      fit_spher(data, {.bits = 6, .iterations = 3, .mean_tolerance = 0.2, .spread_tolerance = 0.3},
                {}));
  options.extra = {{"iterations", "-3"}};
  expect_error(Errc::usage, "iterations must be at least 0, got -3",
               [&] { find_method("spher").make(options); });
}

}  // namespace
}  // namespace structhash
