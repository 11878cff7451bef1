#include "baselines/mdsh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "baselines/eigenfunctions.hpp"
#include "structhash/baselines/methods.hpp"
#include "support/expect_error.hpp"
#include "support/random_forms.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;

/// One component with evenly spread rows on [0, 1].
ComponentRanges even_line(Index rows) {
  ComponentRanges ranges{.directions = Matrix<float>::Ones(1, 1),
                         .offsets = Vector<float>::Zero(1),
                         .low = Vector<float>::Zero(1),
                         .high = Vector<float>::Ones(1),
                         .values = Matrix<float>(1, rows)};
  for (Index row = 0; row < rows; ++row) {
    ranges.values(0, row) = (static_cast<float>(row) + 0.5F) / static_cast<float>(rows);
  }
  return ranges;
}

/// For a uniform density and a small sigma the eigenfunctions are cosines: k sign changes, values
/// at equal distance from the ends that are equal or opposite in turn, weights that fall.
TEST(Eigenfunctions, OfAUniformDensityAreWaves) {
  const auto functions = leading_eigenfunctions(even_line(5'000), 50, 0.1, 4, 1);
  ASSERT_EQ(functions.size(), 4U);
  for (std::size_t k = 1; k <= 4; ++k) {
    const Eigenfunction& function = functions[k - 1];
    int changes = 0;
    for (Index bin = 1; bin < 50; ++bin) {
      changes += (function.values(bin) > 0.0) != (function.values(bin - 1) > 0.0) ? 1 : 0;
    }
    EXPECT_EQ(changes, static_cast<int>(k));
    EXPECT_LT(function.weight, k == 1 ? 1.0 : functions[k - 2].weight);
    EXPECT_NEAR(function.values(0), (k % 2 == 0 ? 1.0 : -1.0) * function.values(49), 1e-9);
  }
}

/// Two columns that differ in variance and one that does not vary at all (constant pixels): the
/// wide one is worth more bits, the constant one none.
TEST(Mdsh, ConstantColumnsGetNoBits) {
  Matrix<float> x = Matrix<float>::Constant(600, 3, 5.0F);
  x.leftCols(2) = test::random_matrix(600, 2, Seed{1});
  x.col(0) *= 4.0F;
  const HashModel model =
      fit_mdsh({.x = x, .labels = {}, .lists = {}}, {.bits = 6, .width = 2.0}, {});
  const auto& encoder = std::get<CurveEncoder>(model.encoder);
  EXPECT_LE(encoder.directions.rows(), 2);
  EXPECT_LT(encoder.directions.col(2).cwiseAbs().maxCoeff(), 1e-5F);
  EXPECT_GT(std::abs(encoder.directions(0, 0)), 0.99F);
  const CodeMatrix codes = encode(model, x, 1);
  for (Index bit = 0; bit < 6; ++bit) {  // no bit is constant
    Index ones = 0;
    for (Index row = 0; row < 600; ++row) {
      ones += codes.bit(row, bit) ? 1 : 0;
    }
    EXPECT_GT(ones, 60);
    EXPECT_LT(ones, 540);
  }
}

/// One column and a wide affinity: one good function, which all bits share at even quantiles.
TEST(Mdsh, RepeatsGoodFunctionsAtQuantiles) {
  const Matrix<float> x = test::random_matrix(1'000, 1, Seed{2});
  const HashModel model =
      fit_mdsh({.x = x, .labels = {}, .lists = {}}, {.bits = 3, .width = 30.0}, {});
  const CodeMatrix codes = encode(model, x, 1);
  for (Index bit = 0; bit < 3; ++bit) {
    Index ones = 0;
    for (Index row = 0; row < 1'000; ++row) {
      ones += codes.bit(row, bit) ? 1 : 0;
    }
    EXPECT_NEAR(to_double(ones), 750.0 - 250.0 * to_double(bit), 3.0) << bit;
  }
}

TEST(Mdsh, OptionsAreRead) {
  const TrainingSet data = test::gaussian_clusters(Seed{1});
  MethodOptions options{.bits = 6};
  options.extra = {{"width", "0.5"}, {"neighbours", "7"}};
  EXPECT_EQ(find_method("mdsh").make(options)->fit(data, {}),
            fit_mdsh(data, {.bits = 6, .width = 0.5, .neighbours = 7}, {}));
  options.extra = {{"width", "0"}};
  expect_error(Errc::usage, "width must be above 0, got 0",
               [&] { find_method("mdsh").make(options); });
}

}  // namespace
}  // namespace structhash
