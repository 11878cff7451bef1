#include "hashing/families/smooth.hpp"
#include "hashing/radial_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/decompositions.hpp"
#include "hashing/families/make_family.hpp"
#include "hashing/families/surrogate.hpp"
#include "support/expect_error.hpp"
#include "support/random_forms.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::Pairs;

/// Values that half precision holds exactly.
Matrix<float> random_halves(Index rows, Index columns, Seed seed) {
  return (test::random_matrix(rows, columns, seed) * 64.0F).array().round() / 64.0F;
}

/// The surrogate by its formula, in double, pair by pair.
double naive_surrogate(const Matrix<float>& z, const Pairs& pairs, double penalty,
                       const Point& point) {
  const Vector<double> s =
      ((z.cast<double>() * point.head(z.cols())).array() + point(z.cols())).tanh().matrix();
  return -test::naive_value(pairs, std::vector<double>(s.begin(), s.end())) +
         0.5 * penalty * point.head(z.cols()).squaredNorm();
}

Point random_point(Index size, Seed seed) {
  return test::random_matrix(size, 1, seed).cast<double>();
}

TEST(Surrogate, EqualsItsFormula) {
  const Matrix<float> z = random_halves(60, 5, Seed{1});
  const Pairs pairs = test::random_pairs(60, 500, Seed{2});
  const PairForm form = pairs.form(60);
  const HalfMatrix half(z);
  Surrogate surrogate(half, form, 1);
  surrogate.set_penalty(3.0);
  Point gradient;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Point point = random_point(6, Seed{seed});
    EXPECT_NEAR(surrogate(point, gradient), naive_surrogate(z, pairs, 3.0, point), 1e-3);
  }
}

TEST(Surrogate, GradientEqualsFiniteDifferences) {
  const Matrix<float> z = random_halves(60, 5, Seed{3});
  const Pairs pairs = test::random_pairs(60, 500, Seed{4});
  const PairForm form = pairs.form(60);
  const HalfMatrix half(z);
  Surrogate surrogate(half, form, 1);
  surrogate.set_penalty(2.0);
  const double step = 1e-5;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Point point = random_point(6, Seed{seed});
    Point gradient;
    surrogate(point, gradient);
    for (Index i = 0; i < point.size(); ++i) {
      Point ahead = point;
      Point behind = point;
      ahead(i) += step;
      behind(i) -= step;
      const double slope =
          (naive_surrogate(z, pairs, 2.0, ahead) - naive_surrogate(z, pairs, 2.0, behind)) /
          (2.0 * step);
      EXPECT_NEAR(gradient(i), slope, 1e-4 * (1.0 + std::abs(slope))) << seed << ' ' << i;
    }
  }
}

/// Z' M Z v with the constant column, against dense matrices.
TEST(Surrogate, RelaxedOperator) {
  const Matrix<float> z = random_halves(40, 3, Seed{5});
  const Pairs pairs = test::random_pairs(40, 200, Seed{6});
  const PairForm form = pairs.form(40);
  const HalfMatrix half(z);
  Surrogate surrogate(half, form, 1);
  Matrix<double> extended(40, 4);
  extended << z.cast<double>(), Vector<double>::Ones(40);
  Matrix<double> m = Matrix<double>::Zero(40, 40);
  for (std::size_t i = 0; i < pairs.left.size(); ++i) {
    m(pairs.left[i], pairs.right[i]) += 0.5 * static_cast<double>(pairs.weights[i]);
    m(pairs.right[i], pairs.left[i]) += 0.5 * static_cast<double>(pairs.weights[i]);
  }
  const Point point = random_point(4, Seed{7});
  const Point expected = extended.transpose() * (m * (extended * point));
  EXPECT_NEAR((surrogate.relaxed(point) - expected).norm(), 0.0, 1e-4 * expected.norm());
}

TEST(SmoothBit, EdgeIsTheObjectiveOfItsSignsAndSignsThoseOfItsFunction) {
  const Matrix<float> z = random_halves(300, 8, Seed{8});
  const Pairs pairs = test::random_pairs(300, 4'000, Seed{9});
  const LearnedBit bit = fit_smooth_bit(HalfMatrix(z), pairs.form(300), {}, Seed{1}, 1);
  EXPECT_NEAR(bit.edge, test::naive_value(pairs, bit.signs), 1e-3);
  const auto& function = std::get<LinearFunction>(bit.function);
  const Vector<double> values = (z.cast<double>() * function.direction).array() + function.offset;
  for (Index row = 0; row < 300; ++row) {
    if (std::abs(values(row)) > 1e-4) {
      EXPECT_EQ(bit.signs[static_cast<std::size_t>(row)], values(row) > 0.0 ? 1 : -1);
    }
  }
}

/// Without iterations the result is the best start; L-BFGS is kept only where it improves on it.
TEST(SmoothBit, NeverWorseThanItsStarts) {
  int improved = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix<float> z = test::random_matrix(200, 6, Seed{seed});
    const PairForm form = test::random_pairs(200, 2'000, Seed{seed + 100}).form(200);
    const SmoothParams starts{.max_iterations = 0};
    const double before = fit_smooth_bit(HalfMatrix(z), form, starts, Seed{seed}, 1).edge;
    const double after = fit_smooth_bit(HalfMatrix(z), form, {}, Seed{seed}, 1).edge;
    EXPECT_GE(after, before) << seed;
    improved += after > before ? 1 : 0;
  }
  EXPECT_GT(improved, 10) << "L-BFGS should help most of the time";
}

/// M = a u u' - b w w' for two features u and w: b > a makes the eigenvalue of w the largest in
/// size, and a search that ends there finds a negative F.
TEST(SmoothBit, SpectralStartFindsTheTopEigenvectorBesideALargerNegativeOne) {
  constexpr Index kRows = 64;
  Matrix<float> z(kRows, 2);
  for (Index row = 0; row < kRows; ++row) {
    z.row(row) << (row % 2 == 0 ? 1.0F : -1.0F), (row / 2 % 2 == 0 ? 1.0F : -1.0F);
  }
  for (const float b : {1.02F, 1.2F, 3.0F}) {
    Pairs pairs;
    for (Index q = 0; q < kRows; ++q) {
      for (Index l = 0; l < kRows; ++l) {
        pairs.left.push_back(static_cast<std::int32_t>(q));
        pairs.right.push_back(static_cast<std::int32_t>(l));
        pairs.weights.push_back(z(q, 0) * z(l, 0) - b * z(q, 1) * z(l, 1));
      }
    }
    const PairForm form = pairs.form(kRows);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      for (const int steps : {3, 10}) {
        const SmoothParams start{.spectral_steps = steps, .max_iterations = 0};
        const double edge = fit_smooth_bit(HalfMatrix(z), form, start, Seed{seed}, 1).edge;
        EXPECT_GT(edge, 0.0) << b << ", seed " << seed << ", steps " << steps;
      }
    }
  }
}

/// One noisy feature of many decides: a stump on it is a better start than spectral and random
/// ones.
TEST(SmoothBit, StumpStartIsUsed) {
  constexpr Index kRows = 200;
  Matrix<float> x = test::random_matrix(kRows, 30, Seed{1});
  Pairs pairs = test::random_pairs(kRows, 3'000, Seed{2});
  for (std::size_t i = 0; i < pairs.left.size(); ++i) {
    const bool same = (x(pairs.left[i], 7) > 0.4F) == (x(pairs.right[i], 7) > 0.4F);
    pairs.weights[i] = same ? 1.0F : -1.0F;
  }
  const PairForm form = pairs.form(kRows);
  for (const Functions functions : {Functions::linear, Functions::kernel}) {
    FamilyRecipe recipe = default_family(functions);
    recipe.ridge = 1e-6;
    recipe.smooth.max_iterations = 0;
    const double without = make_family(x, recipe, Seed{1}, 1)->best(form, Seed{1}, 1).edge;
    recipe.smooth.stump_start = true;
    const double with = make_family(x, recipe, Seed{1}, 1)->best(form, Seed{1}, 1).edge;
    EXPECT_GE(with, without);
    if (functions == Functions::linear) {
      EXPECT_GT(with, without);
      EXPECT_GT(with, 0.9 * 0.5 * 3'000.0) << "the stump itself is all but perfect";
    }
  }
}

/// Without whitening a function is linear in the features themselves: their scales matter to the
/// search, and the spectral start has unit variance all the same.
TEST(SmoothBit, WithoutWhiteningTheVariancesOfTheFeaturesStay) {
  const Vector<double> variances = (Vector<double>(3) << 4.0, 1.0, 0.25).finished();
  EXPECT_EQ(shares(variances, {.on = false}), (Vector<double>(3) << 1.0, 0.25, 0.0625).finished());
}

TEST(SmoothBit, ZeroWeightsAndNegativeFormsGiveFiniteResults) {
  const Matrix<float> z = test::random_matrix(50, 4, Seed{10});
  Pairs pairs = test::random_pairs(50, 200, Seed{11});
  std::ranges::fill(pairs.weights, 0.0F);
  const LearnedBit zero = fit_smooth_bit(HalfMatrix(z), pairs.form(50), {}, Seed{1}, 1);
  EXPECT_EQ(zero.edge, 0.0);
  EXPECT_TRUE(std::get<LinearFunction>(zero.function).direction.allFinite());
  std::ranges::fill(pairs.weights, -1.0F);
  const LearnedBit apart = fit_smooth_bit(HalfMatrix(z), pairs.form(50), {}, Seed{1}, 1);
  EXPECT_TRUE(std::isfinite(apart.edge));
  EXPECT_TRUE(std::get<LinearFunction>(apart.function).direction.allFinite());
}

TEST(SmoothBit, CheckFindsEveryDefect) {
  EXPECT_NO_THROW(check(SmoothParams{}));
  expect_error(Errc::usage, "penalty", [] { check(SmoothParams{.penalty = -1.0}); });
  expect_error(Errc::usage, "penalty", [] { check(SmoothParams{.penalty = std::nan("")}); });
  expect_error(Errc::usage, "iterations", [] { check(SmoothParams{.random_starts = -1}); });
  expect_error(Errc::usage, "iterations", [] { check(SmoothParams{.spectral_steps = -1}); });
  expect_error(Errc::usage, "iterations", [] { check(SmoothParams{.max_iterations = -1}); });
  expect_error(Errc::usage, "tolerance", [] { check(SmoothParams{.tolerance = -1.0}); });
}

/// Both families over the same clusters: what either must do.
class EverySmoothFamily : public testing::TestWithParam<const char*> {
 protected:
  static std::unique_ptr<HashFamily> make(const Matrix<float>& x, int threads) {
    FamilyRecipe recipe =
        default_family(std::string(GetParam()) == "linear" ? Functions::linear : Functions::kernel);
    recipe.kernel.anchors = 40;
    return make_family(x, recipe, Seed{1}, threads);
  }
};

TEST_P(EverySmoothFamily, SeparatesClustersAndEncodesAsItLearned) {
  const TrainingSet data = test::gaussian_clusters(
      Seed{1}, {.clusters = 3, .rows_per_cluster = 60, .dimension = 5, .lists = false});
  const Pairs pairs = test::class_pairs(data.labels.classes, 20, Seed{2});
  const auto family = make(data.x, 1);
  const LearnedBit bit = family->best(pairs.form(180), Seed{3}, 1);
  // Two of three clusters on one side: of the pairs of different clusters a third stays together.
  EXPECT_GT(bit.edge, 0.3 * 0.5 * static_cast<double>(pairs.weights.size()));
  const CodeMatrix codes = encode(family->assemble(std::span(&bit, 1)), data.x, 1);
  Index different = 0;
  for (Index row = 0; row < 180; ++row) {
    different += codes.bit(row, 0) != (bit.signs[static_cast<std::size_t>(row)] > 0) ? 1 : 0;
  }
  EXPECT_LE(different, 1) << "rounding may turn a sign, but not many";
}

TEST_P(EverySmoothFamily, SameSeedAndAnyThreadsGiveTheSameBytes) {
  const Matrix<float> x = test::random_matrix(1'500, 12, Seed{4});
  const PairForm form = test::random_pairs(1'500, 20'000, Seed{5}).form(1'500);
  const LearnedBit one = make(x, 1)->best(form, Seed{6}, 1);
  const auto& first = std::get<LinearFunction>(one.function);
  for (const int threads : {1, 2, 4}) {
    const LearnedBit many = make(x, threads)->best(form, Seed{6}, threads);
    const auto& second = std::get<LinearFunction>(many.function);
    EXPECT_EQ(first.direction, second.direction);
    EXPECT_EQ(first.offset, second.offset);
    EXPECT_EQ(one.signs, many.signs);
    EXPECT_EQ(one.edge, many.edge);
  }
}

TEST_P(EverySmoothFamily, ConstantFeaturesAreRefused) {
  try {
    make(Matrix<float>::Constant(20, 4, 2.5F), 1);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::usage);
    EXPECT_NE(std::string(error.what()).find("nothing to learn from"), std::string::npos);
  }
}

TEST_P(EverySmoothFamily, DuplicateRowsAndConstantColumnsAreFine) {
  Matrix<float> x = test::random_matrix(60, 6, Seed{7});
  x.bottomRows(30) = x.topRows(30);
  x.col(2).setConstant(3.0F);
  const LearnedBit bit =
      make(x, 1)->best(test::random_pairs(60, 500, Seed{8}).form(60), Seed{1}, 1);
  EXPECT_TRUE(std::isfinite(bit.edge));
  EXPECT_TRUE(std::get<LinearFunction>(bit.function).direction.allFinite());
  for (std::size_t row = 0; row < 30; ++row) {
    EXPECT_EQ(bit.signs[row], bit.signs[row + 30]);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, EverySmoothFamily, testing::Values("linear", "kernel"),
                         [](const auto& entry) { return std::string(entry.param); });

/// All rows are anchors: every row's response to itself is lowered half the way to that of its
/// nearest other row, and a copy of a row is treated like the row.
TEST(ResponseSpace, LearnsFromLoweredResponsesOfAnchorsToThemselves) {
  Matrix<float> x = test::random_matrix(40, 3, Seed{12});
  x.row(39) = x.row(0);
  const PairForm form = test::random_pairs(40, 300, Seed{13}).form(40);
  FamilyRecipe recipe = default_family(Functions::kernel);
  recipe.kernel.self_response = 0.5;
  const RadialBasis basis =
      draw_radial_basis(x, Shards(x.rows()), 40, recipe.kernel.width, Seed{1}.fork("anchors"), 1);
  Matrix<float> responses = kernel_responses(x, basis.anchors, basis.gamma, 1);
  for (Index row = 0; row < 40; ++row) {
    const auto is_copy = [&](Index other) { return x.row(row) == x.row(other); };
    float nearest = 0.0F;
    for (Index other = 0; other < 40; ++other) {
      nearest = std::max(nearest, is_copy(other) ? 0.0F : responses(row, other));
    }
    for (Index other = 0; other < 40; ++other) {
      responses(row, other) = is_copy(other) ? 0.5F * (1.0F + nearest) : responses(row, other);
    }
  }
  const AffineMap map = fit_soft_whitening(responses, recipe.ridge, kKernelDefaults.power, 1);
  const Matrix<float> z = map.apply(responses, 1);
  const LearnedBit expected = fit_smooth_bit(HalfMatrix(z), form, recipe.smooth, Seed{2}, 1);
  const LearnedBit found = make_family(x, recipe, Seed{1}, 1)->best(form, Seed{2}, 1);
  EXPECT_EQ(found.signs, expected.signs);
  EXPECT_NEAR(found.edge, expected.edge, 1e-6);
  EXPECT_EQ(found.signs[0], found.signs[39]);
}

TEST(ResponseSpace, WhiteningsShareOneSpace) {
  const Matrix<float> x = test::random_matrix(90, 7, Seed{14});
  FamilyFactory factory(x, Shards(90), Seed{1});
  FamilyRecipe narrow = default_family(Functions::kernel);
  narrow.kernel.anchors = 30;
  FamilyRecipe ridged = narrow;
  ridged.ridge = 0.1;
  FamilyRecipe wide = narrow;
  wide.kernel.width = 1.0;
  factory.prepare(std::vector{narrow, ridged, wide}, 2);
  const ResponseSpace* first = &factory.space(narrow);
  EXPECT_EQ(&factory.space(ridged), first);
  EXPECT_NE(&factory.space(wide), first);
  factory.prepare(std::vector{ridged}, 2);
  EXPECT_EQ(&factory.space(narrow), first) << "made once";
  expect_error(Errc::usage, "prepare", [&] { factory.space(wide); });
  const PairForm form = test::random_pairs(90, 600, Seed{15}).form(90);
  const LearnedBit shared = factory.make(ridged, 1)->best(form, Seed{2}, 1);
  EXPECT_EQ(shared.signs, make_family(x, ridged, Seed{1}, 1)->best(form, Seed{2}, 1).signs);
}

TEST(SmoothFamilies, CheckFindsEveryDefect) {
  const Matrix<float> x = test::random_matrix(20, 3, Seed{1});
  const auto refuses = [&](const char* word, auto change) {
    FamilyRecipe recipe = default_family(Functions::kernel);
    change(recipe);
    expect_error(Errc::usage, word, [&] { make_family(x, recipe, Seed{1}, 1); });
  };
  refuses("ridge", [](FamilyRecipe& recipe) { recipe.ridge = 0.0; });
  refuses("ridge", [](FamilyRecipe& recipe) { recipe.ridge = -1.0; });
  refuses("penalty", [](FamilyRecipe& recipe) { recipe.smooth.penalty = -1.0; });
  refuses("anchors", [](FamilyRecipe& recipe) { recipe.kernel.anchors = 0; });
  refuses("width", [](FamilyRecipe& recipe) { recipe.kernel.width = 0.0; });
  refuses("self-response", [](FamilyRecipe& recipe) { recipe.kernel.self_response = 1.5; });
  expect_error(Errc::usage, "power", [] { check(Whitening{.power = -1.0}); });
}

/// Variances of z:  (lambda / (lambda + ridge lambda_1))^power, uncorrelated, mean zero.
TEST(SoftWhitening, VariancesFadeOut) {
  Matrix<float> x = test::random_matrix(500, 4, Seed{9});
  x.col(1) *= 10.0F;
  x.col(3) *= 0.01F;
  const double ridge = 0.02;
  const double power = 3.0;
  const AffineMap map = fit_soft_whitening(x, ridge, power, 1);
  const Matrix<double> z = map.apply(x, 1).cast<double>();
  const Matrix<double> centred = x.cast<double>().rowwise() - x.cast<double>().colwise().mean();
  const EigenPairs pairs = symmetric_eigen(centred.transpose() * centred / 500.0);
  EXPECT_NEAR(z.colwise().mean().norm(), 0.0, 1e-4);
  const Matrix<double> covariance = z.transpose() * z / 500.0;
  for (Index i = 0; i < z.cols(); ++i) {
    const double lambda = pairs.values(3 - i);
    const double expected = std::pow(lambda / (lambda + ridge * pairs.values(3)), power);
    EXPECT_NEAR(covariance(i, i), expected, 1e-3 * expected + 1e-7);
    for (Index j = 0; j < i; ++j) {
      EXPECT_NEAR(covariance(i, j), 0.0, 1e-3);
    }
  }
}

}  // namespace
}  // namespace structhash
