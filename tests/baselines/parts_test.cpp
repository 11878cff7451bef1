/// The pieces that supervised methods share, against slow twins.
#include <gtest/gtest.h>

#include "baselines/label_groups.hpp"
#include "baselines/lanczos.hpp"
#include "baselines/linear_svm.hpp"
#include "baselines/min_cut.hpp"
#include "baselines/ridge.hpp"
#include "core/decompositions.hpp"
#include "data/label_indicator.hpp"
#include "structhash/core/rng.hpp"

namespace structhash {
namespace {

Matrix<float> random_matrix(Index rows, Index columns, Seed seed) {
  Rng rng(seed);
  Matrix<float> m(rows, columns);
  for (float& entry : m.reshaped()) {
    entry = static_cast<float>(rng.normal());
  }
  return m;
}

TEST(LabelGroups, EqualLabelsStandTogether) {
  const LabelGroups groups = group_labels(Labels{.classes = {7, -1, 7, 3}, .multi = {}});
  EXPECT_EQ(groups.group, (std::vector<Index>{0, 1, 0, 2}));
  EXPECT_EQ(groups.rows[0], (std::vector<Index>{0, 2}));
  const std::vector<Index> one_each{0, 1, 3};
  EXPECT_EQ(row_similarity(groups, one_each),
            (Matrix<float>{{1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}));
  EXPECT_EQ(groups.overlaps.size(), 0) << "no matrix of classes";
}

TEST(LabelGroups, MultiLabelsAreRelatedByOneLabelInCommon) {
  const Labels labels{.classes = {}, .multi = Matrix<std::uint8_t>{{1, 0}, {1, 1}, {0, 1}, {1, 1}}};
  const LabelGroups groups = group_labels(labels);
  EXPECT_EQ(groups.group, (std::vector<Index>{0, 1, 2, 1}));
  EXPECT_EQ(groups.overlaps, (Matrix<float>{{1, 1, -1}, {1, 1, 1}, {-1, 1, 1}}));
  EXPECT_EQ(label_indicator(labels).col(1), (Vector<float>{{0, 1, 1, 1}}));
}

TEST(LabelIndicator, ColumnsAreClassesInOrder) {
  EXPECT_EQ(label_indicator(Labels{.classes = {7, -1, 7}, .multi = {}}),
            (Matrix<float>{{0, 1}, {1, 0}, {0, 1}}));
}

TEST(Lanczos, FindsTheLargestEigenvalueNotTheLargestSize) {
  const Matrix<float> m = random_matrix(40, 40, Seed{1});
  const Matrix<double> a = (m + m.transpose()).cast<double>() -
                           30.0 * Matrix<double>::Identity(40, 40);  // nearly all negative
  const Vector<double> top = top_eigenvector(
      40, [&](const Vector<double>& v) -> Vector<double> { return a * v; }, 40, Seed{2});
  const EigenPairs pairs = symmetric_eigen(a);
  EXPECT_LT((top - pairs.vectors.col(39)).norm(), 1e-6);
}

TEST(Lanczos, StopsWhereTheMatrixIsZero) {
  const Vector<double> top = top_eigenvector(
      5, [](const Vector<double>& v) -> Vector<double> { return 0.0 * v; }, 5, Seed{2});
  EXPECT_NEAR(top.norm(), 1.0, 1e-12);
}

TEST(Ridge, SolvesTheNormalEquations) {
  const ResponseSpace space(random_matrix(50, 4, Seed{3}), Shards(50), 1);
  const Matrix<float>& z = space.components();
  const Matrix<float> targets = random_matrix(50, 2, Seed{4});
  const LinearFunctions functions =
      ridge_regression({z, space.spectrum().variances, 0.5}, targets, 1);
  const Matrix<float> errors = apply(functions, z, 1) - targets;
  const Matrix<double> gradient =
      (errors.transpose() * z).cast<double>() / 50.0 + 0.5 * functions.directions;
  EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT(errors.colwise().mean().cwiseAbs().maxCoeff(), 1e-5F);
}

TEST(LinearSvm, SeparatesWhatCanBeSeparated) {
  const Matrix<float> z = random_matrix(200, 5, Seed{5});
  Matrix<float> signs(200, 2);
  for (Index row = 0; row < 200; ++row) {
    signs(row, 0) = z(row, 0) + z(row, 1) > 0.5F ? 1.0F : -1.0F;
    signs(row, 1) = -signs(row, 0);
  }
  const LinearFunctions one = fit_linear_svms(z, signs, {.trade_off = 100.0}, Seed{1}, 1);
  const Matrix<float> values = apply(one, z, 1);
  EXPECT_GE((values.col(0).array() * signs.col(0).array() > 0.0F).count(), 195);
  EXPECT_GE((values.col(1).array() * signs.col(1).array() > 0.0F).count(), 195);
  EXPECT_EQ(fit_linear_svms(z, signs, {.trade_off = 100.0}, Seed{1}, 2).directions, one.directions);
}

/// All 2^n signs.
std::int64_t best_agreement(const std::vector<std::int64_t>& biases,
                            const std::vector<std::array<std::int64_t, 3>>& edges) {
  std::int64_t best = INT64_MIN;
  for (std::uint32_t signs = 0; signs < (1U << biases.size()); ++signs) {
    const auto sign = [&](std::size_t p) { return ((signs >> p) & 1U) != 0 ? 1 : -1; };
    std::int64_t value = 0;
    for (std::size_t p = 0; p < biases.size(); ++p) {
      value += biases[p] * sign(p);
    }
    for (const auto& [p, q, weight] : edges) {
      value += weight * sign(static_cast<std::size_t>(p)) * sign(static_cast<std::size_t>(q));
    }
    best = std::max(best, value);
  }
  return best;
}

TEST(MinCut, AgreesWithAllSigns) {
  Rng rng(Seed{6});
  for (int trial = 0; trial < 100; ++trial) {
    const Index points = 1 + rng.below(9);
    AgreementProblem problem(points);
    std::vector<std::int64_t> biases;
    std::vector<std::array<std::int64_t, 3>> edges;
    for (Index p = 0; p < points; ++p) {
      biases.push_back(rng.below(21) - 10);
      problem.add_bias(p, biases.back());
      for (Index q = 0; q < p; ++q) {
        edges.push_back({p, q, rng.below(6)});
        problem.add_edge(p, q, edges.back()[2]);
      }
    }
    const std::vector<std::int8_t> signs = problem.solve();
    std::int64_t value = 0;
    for (std::size_t p = 0; p < biases.size(); ++p) {
      value += biases[p] * signs[p];
    }
    for (const auto& [p, q, weight] : edges) {
      value += weight * signs[static_cast<std::size_t>(p)] * signs[static_cast<std::size_t>(q)];
    }
    EXPECT_EQ(value, best_agreement(biases, edges)) << "trial " << trial;
  }
}

}  // namespace
}  // namespace structhash
