#include "learner/leave_one_out.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>

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
double error_by_leaving_out(const LabelledRows& rows, double ridge) {
  const Index n = rows.x.rows();
  Eigen::MatrixXd y = Eigen::MatrixXd::Zero(n, 3);
  for (Index row = 0; row < n; ++row) {
    y(row, (rows.labels.classes[static_cast<std::size_t>(row)] + 5) / 10) = 1.0;
  }
  const Eigen::MatrixXd x = rows.x.cast<double>();
  const Eigen::MatrixXd all = x.rowwise() - x.colwise().mean();
  const double largest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(all.transpose() * all)
                             .eigenvalues()
                             .maxCoeff();
  double sum = 0.0;
  for (Index left_out = 0; left_out < n; ++left_out) {
    Eigen::MatrixXd a(n - 1, x.cols());
    Eigen::MatrixXd b(n - 1, 3);
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
  const std::array ridges{1e-4, 1e-2, 1.0};
  const std::vector<double> errors = leave_one_out_errors(space_of(rows), rows.labels, ridges, 2);
  ASSERT_EQ(errors.size(), ridges.size());
  for (std::size_t i = 0; i < ridges.size(); ++i) {
    EXPECT_NEAR(errors[i], error_by_leaving_out(rows, ridges[i]), 1e-5) << ridges[i];
  }
}

TEST(LeaveOneOut, LabelsOfOneColumnPerClassAreTheSame) {
  LabelledRows rows = draw_rows(60, 5, 3, 1.0);
  Labels multi;
  multi.multi = Matrix<std::uint8_t>::Zero(60, 3);
  for (Index row = 0; row < 60; ++row) {
    multi.multi(row, (rows.labels.classes[static_cast<std::size_t>(row)] + 5) / 10) = 1;
  }
  const std::array ridges{1e-3, 0.1};
  EXPECT_EQ(leave_one_out_errors(space_of(rows), rows.labels, ridges, 1),
            leave_one_out_errors(space_of(rows), multi, ridges, 2));
}

TEST(LeaveOneOut, MoreNoiseAsksForALargerRidge) {
  const LabelledRows clean = draw_rows(200, 60, 3, 0.3);
  const LabelledRows noisy = draw_rows(200, 60, 3, 3.0);
  EXPECT_LT(leave_one_out_ridge(space_of(clean), clean.labels, 2),
            leave_one_out_ridge(space_of(noisy), noisy.labels, 2));
}

TEST(LeaveOneOut, ConstantFeaturesAreRefused) {
  LabelledRows rows = draw_rows(20, 3, 2, 1.0);
  rows.x.setOnes();
  EXPECT_THROW(leave_one_out_ridge(space_of(rows), rows.labels, 1), Error);
}

}  // namespace
}  // namespace structhash
