#include "hashing/families/leave_one_out.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>

#include "structhash/core/error.hpp"
#include "structhash/core/rng.hpp"

namespace structhash {
namespace {

struct LabelledRows {
  Matrix<float> x;
  Labels labels;
};

LabelledRows draw_rows(Index count, Index columns, int classes, double noise) {
  Rng rng(Seed{7});
  LabelledRows rows{.x = Matrix<float>(count, columns), .labels = {}};
  for (Index row = 0; row < count; ++row) {
    const auto label = static_cast<int>(rng.below(classes));
    rows.labels.classes.push_back(10 * label - 5);
    for (Index column = 0; column < columns; ++column) {
      rows.x(row, column) =
          static_cast<float>(noise * rng.normal() + (column == label ? 2.0 : 0.0) + 3.0);
    }
  }
  return rows;
}

ResponseSpace space_of(const LabelledRows& rows) {
  return {rows.x, Shards(rows.x.rows()), 2};
}

/// The slow twin: a regression for every row, on all the others.
double error_by_leaving_out(const Matrix<float>& features, const Matrix<float>& targets,
                            double ridge) {
  const Index n = features.rows();
  const Eigen::MatrixXd x = features.cast<double>();
  const Eigen::MatrixXd y = targets.cast<double>();
  const Eigen::MatrixXd all = x.rowwise() - x.colwise().mean();
  const double largest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(all.transpose() * all)
                             .eigenvalues()
                             .maxCoeff();
  double sum = 0.0;
  for (Index left_out = 0; left_out < n; ++left_out) {
    Eigen::MatrixXd a(n - 1, x.cols());
    Eigen::MatrixXd b(n - 1, y.cols());
    for (Index row = 0, at = 0; row < n; ++row) {
      if (row != left_out) {
        a.row(at) = x.row(row);
        b.row(at++) = y.row(row);
      }
    }
    const Eigen::RowVectorXd mean_a = a.colwise().mean();
    const Eigen::RowVectorXd mean_b = b.colwise().mean();
    a.rowwise() -= mean_a;
    b.rowwise() -= mean_b;
    Eigen::MatrixXd gram = a.transpose() * a;
    gram.diagonal().array() += ridge * largest;
    const Eigen::RowVectorXd guess =
        mean_b + (x.row(left_out) - mean_a) * gram.ldlt().solve(a.transpose() * b);
    sum += (y.row(left_out) - guess).squaredNorm();
  }
  return sum / static_cast<double>(y.size());
}

TEST(LeaveOneOut, IsTheErrorOfRegressionsWithoutTheRow) {
  const LabelledRows rows = draw_rows(40, 6, 3, 1.0);
  const Matrix<float> targets = partition_targets(rows.labels, Seed{1});
  const std::array ridges{1e-4, 1e-2, 1.0};
  const std::vector<double> errors = leave_one_out_errors(space_of(rows), targets, ridges, 1.0, 2);
  ASSERT_EQ(errors.size(), ridges.size());
  for (std::size_t i = 0; i < ridges.size(); ++i) {
    const double expected = error_by_leaving_out(rows.x, targets, ridges[i]);
    EXPECT_NEAR(errors[i], expected, 1e-4 * expected) << ridges[i];
  }
}

TEST(LeaveOneOut, TargetsArePartitionsOfTheClasses) {
  const LabelledRows rows = draw_rows(60, 5, 3, 1.0);
  const Matrix<float> targets = partition_targets(rows.labels, Seed{1});
  EXPECT_TRUE((targets.array().abs() == 1.0F).all());
  for (Index row = 1; row < 60; ++row) {
    const bool same = rows.labels.related(0, row);
    EXPECT_EQ(targets.row(row) == targets.row(0), same) << row;
  }
  EXPECT_NE(targets, partition_targets(rows.labels, Seed{2}));
}

/// A row with two labels has the sum of their signs; labels of one column per class are classes.
TEST(LeaveOneOut, TargetsOfSeveralLabelsAreSums) {
  Labels multi;
  multi.multi = Matrix<std::uint8_t>::Zero(3, 4);
  multi.multi(0, 1) = multi.multi(1, 3) = multi.multi(2, 1) = multi.multi(2, 3) = 1;
  const Matrix<float> targets = partition_targets(multi, Seed{1});
  EXPECT_EQ(targets.row(2), targets.row(0) + targets.row(1));
  Labels classes;
  classes.classes = {1, 3};
  EXPECT_EQ(partition_targets(classes, Seed{1}), targets.topRows(2));
}

/// An item has the signs of its queries, a query those of its items, scaled to the size of one.
TEST(LeaveOneOut, TargetsOfListsAreSumsOverJudgments) {
  const std::vector<RelevanceList> lists{
      {.query = 4, .relevant = {0, 1}, .irrelevant = {2}},
      {.query = 5, .relevant = {1}, .irrelevant = {2}, .weight = 1.0, .further = {3}}};
  const Matrix<float> targets = partition_targets(lists, 6, Seed{1});
  EXPECT_TRUE((targets.row(0).array().abs() == 1.0F).all());
  EXPECT_EQ(targets.row(1), targets.row(0) + targets.row(3));
  EXPECT_TRUE(targets.row(2).isZero(0.0F)) << "relevant to no query";
  Labels items;  // labels 0, 1, 3 have the signs of these items
  items.classes = {0, 1, 3};
  const Matrix<float> signs = partition_targets(items, Seed{1});
  const float scale = 1.0F / std::sqrt(2.0F);
  EXPECT_TRUE(targets.row(4).isApprox(scale * (signs.row(0) + signs.row(1))));
  EXPECT_TRUE(targets.row(5).isApprox(scale * (signs.row(1) + signs.row(2))));
}

/// Where there are no labels, the width and most ridges stay those of the rule.
TEST(LeaveOneOut, WithoutLabelsTheRuleHolds) {
  const LabelledRows rows = draw_rows(200, 8, 3, 0.3);
  TrainingSet data{.x = rows.x, .labels = {}};
  for (Index query = 0; query < 60; ++query) {
    RelevanceList list{.query = query};
    for (Index item = 60; item < 200; ++item) {
      (rows.labels.related(query, item) ? list.relevant : list.irrelevant).push_back(item);
    }
    data.lists.push_back(list);
  }
  const ResponseSpace space = space_of(rows);
  const auto ridge = [&](Functions functions, double rule) {
    return auto_whitening_ridge(space, AutoTargets(data, Seed{1}), functions, rule, 2);
  };
  const double chosen = ridge(Functions::linear, 10.0);
  EXPECT_LT(chosen, 10.0);
  EXPECT_EQ(ridge(Functions::linear, chosen / 2.0), chosen / 2.0) << "never above the rule";
  EXPECT_EQ(ridge(Functions::kernel, 10.0), 10.0);
  EXPECT_EQ(auto_width(data.x, AutoTargets(data, Seed{1}), {}, Seed{1}, 1), kKernelWidth);
  data.reach.assign(200, 1.0);
  EXPECT_EQ(ridge(Functions::linear, 10.0), 10.0) << "neighbours by distance";
}

/// Rows cut into shards give the errors of the same rows in one piece.
TEST(LeaveOneOut, ShardsAddUp) {
  const LabelledRows rows = draw_rows(90, 6, 3, 1.0);
  const Matrix<float> targets = partition_targets(rows.labels, Seed{1});
  const std::array ridges{1e-3, 0.1};
  const ResponseSpace cut(rows.x, Shards({40, 50}, nullptr), 1);
  const std::vector<double> whole = leave_one_out_errors(space_of(rows), targets, ridges, 3.0, 1);
  const std::vector<double> parts = leave_one_out_errors(cut, targets, ridges, 3.0, 2);
  for (std::size_t i = 0; i < ridges.size(); ++i) {
    EXPECT_NEAR(parts[i], whole[i], 1e-4 * whole[i]);
  }
}

TEST(LeaveOneOut, MoreNoiseAsksForALargerRidge) {
  const LabelledRows clean = draw_rows(200, 60, 3, 0.3);
  const LabelledRows noisy = draw_rows(200, 60, 3, 3.0);
  const auto ridge = [](const LabelledRows& rows) {
    return leave_one_out_ridge(space_of(rows), partition_targets(rows.labels, Seed{1}), 1.0, 2)
        .ridge;
  };
  EXPECT_LT(ridge(clean), ridge(noisy));
}

TEST(LeaveOneOut, ConstantFeaturesAreRefused) {
  LabelledRows rows = draw_rows(20, 3, 2, 1.0);
  rows.x.setOnes();
  EXPECT_THROW(space_of(rows), Error);
}

}  // namespace
}  // namespace structhash
