#include "structhash/evaluation/ground_truth.hpp"

#include <gtest/gtest.h>

#include "structhash/core/error.hpp"
#include "structhash/core/rng.hpp"

namespace structhash {
namespace {

std::vector<int> grades_of(const GroundTruth& truth, Index query) {
  std::vector<std::uint8_t> grades(static_cast<std::size_t>(truth.items()), 77);
  truth.grades(query, grades);
  return {grades.begin(), grades.end()};
}

TEST(GroundTruth, Classes) {
  const Labels queries{.classes = {2, -1}, .multi = {}};
  const Labels database{.classes = {1, 2, 2, 3}, .multi = {}};
  const auto truth = GroundTruth::from_labels(queries, database);
  EXPECT_EQ(truth.queries(), 2);
  EXPECT_EQ(truth.items(), 4);
  EXPECT_EQ(truth.highest_grade(), 1);
  EXPECT_EQ(grades_of(truth, 0), (std::vector<int>{0, 1, 1, 0}));
  EXPECT_EQ(grades_of(truth, 1), (std::vector<int>{0, 0, 0, 0}));
}

TEST(GroundTruth, MultiLabelsShareAtLeastOneAlsoBeyondOneWord) {
  for (const Index labels : {3, 64, 65, 200}) {
    Labels queries;
    Labels database;
    queries.multi.setZero(2, labels);
    database.multi.setZero(4, labels);
    queries.multi(0, 0) = 1;
    queries.multi(0, labels - 1) = 1;  // query 1 has no label
    database.multi(0, labels - 1) = 1;
    database.multi(1, 1) = 1;
    database.multi(2, 0) = 1;
    const auto truth = GroundTruth::from_labels(queries, database);
    EXPECT_EQ(grades_of(truth, 0), (std::vector<int>{1, 0, 1, 0})) << labels;
    EXPECT_EQ(grades_of(truth, 1), (std::vector<int>{0, 0, 0, 0})) << labels;
  }
}

TEST(GroundTruth, JudgmentsKeepGradesAboveZero) {
  const auto truth =
      GroundTruth::from_judgments({.items = 5, .queries = {{{1, 3}, {2, 0}, {4, -1}}, {}}});
  EXPECT_EQ(truth.highest_grade(), 3);
  EXPECT_EQ(grades_of(truth, 0), (std::vector<int>{0, 3, 0, 0, 0}));
  EXPECT_EQ(grades_of(truth, 1), (std::vector<int>{0, 0, 0, 0, 0}));
}

TEST(GroundTruth, NeighboursAreTheNearestFraction) {
  Rng rng(Seed{1});
  const auto random = [&](Index rows) {
    return Matrix<float>::NullaryExpr(rows, 3, [&] { return static_cast<float>(rng.normal()); })
        .eval();
  };
  const Matrix<float> database = random(200);
  const Matrix<float> queries = random(7);
  const auto truth = GroundTruth::from_neighbours(queries, database, 0.05, 2);
  for (Index query = 0; query < queries.rows(); ++query) {
    std::vector<std::pair<double, Index>> order;
    for (Index item = 0; item < database.rows(); ++item) {
      order.emplace_back(
          (database.row(item).cast<double>() - queries.row(query).cast<double>()).squaredNorm(),
          item);
    }
    std::ranges::sort(order);
    std::vector<int> expected(200, 0);
    for (int i = 0; i < 10; ++i) {
      expected[static_cast<std::size_t>(order[static_cast<std::size_t>(i)].second)] = 1;
    }
    EXPECT_EQ(grades_of(truth, query), expected) << query;
  }
}

TEST(GroundTruth, RefusesWhatDoesNotFit) {
  const Labels classes{.classes = {1, 2}, .multi = {}};
  Labels multi;
  multi.multi.setOnes(2, 3);
  Labels other;
  other.multi.setOnes(2, 4);
  EXPECT_THROW(GroundTruth::from_labels(classes, {}), Error);
  EXPECT_THROW(GroundTruth::from_labels({}, classes), Error);
  EXPECT_THROW(GroundTruth::from_labels(classes, multi), Error);
  EXPECT_THROW(GroundTruth::from_labels(multi, other), Error);
  EXPECT_THROW(GroundTruth::from_judgments({.items = 2, .queries = {{{2, 1}}}}), Error);
  EXPECT_THROW(GroundTruth::from_judgments({.items = 2, .queries = {{{1, 1}, {1, 1}}}}), Error);
  EXPECT_THROW(GroundTruth::from_judgments({.items = 2, .queries = {{{1, 31}}}}), Error);
  const Matrix<float> x = Matrix<float>::Ones(3, 2);
  const Matrix<float> narrow = Matrix<float>::Ones(3, 1);
  EXPECT_THROW(GroundTruth::from_neighbours(x, narrow, 0.5, 1), Error);
  EXPECT_THROW(GroundTruth::from_neighbours(x, x, 0.0, 1), Error);
  EXPECT_THROW(GroundTruth::from_neighbours(x, x, 1.0, 1), Error);
  EXPECT_THROW(GroundTruth::from_neighbours(x.topRows(0), x, 0.5, 1), Error);
}

}  // namespace
}  // namespace structhash
