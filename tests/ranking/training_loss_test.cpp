#include "ranking/training_loss.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "ranking/training_gains.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

Matrix<double> gains(const RankingMeasure& measure) {
  return GainTable(measure, 50, 40).gains();
}

TEST(TrainingLoss, ACutOffShrinksWithTheShareOfListedItems) {
  for (const std::string base : {"ndcg@", "precision@", "recall@", "ndcg-paper@"}) {
    const auto scaled = make_training_measure(base + "100", {.listed = 0.25});
    EXPECT_EQ(gains(*scaled), gains(*make_measure(base + "25"))) << base;
    const auto least = make_training_measure(base + "10", {.listed = 1e-6});
    EXPECT_EQ(gains(*least), gains(*make_measure(base + "1"))) << base;
  }
  EXPECT_EQ(gains(*make_training_measure("map", {.listed = 0.25})), gains(*make_measure("map")));
}

TEST(TrainingLoss, MixesTheMeasureWithTheAuc) {
  const auto mixed = make_training_measure("map", {.auc = 0.25});
  const Matrix<double> expected =
      0.75 * gains(*make_measure("map")) + 0.25 * gains(*make_measure("auc"));
  EXPECT_LT((gains(*mixed) - expected).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(TrainingLoss, KeepsTheShortCutOfTheAuc) {
  EXPECT_TRUE(make_training_measure("auc", {.auc = 0.5})->counts_pairs());
  EXPECT_TRUE(make_training_measure("map", {.auc = 1.0})->counts_pairs());
  EXPECT_FALSE(make_training_measure("map", {.auc = 0.5})->counts_pairs());
}

TEST(TrainingLoss, RefusesNonsense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double share : {-0.1, 1.1, nan}) {
    EXPECT_THROW(make_training_measure("map", {.auc = share}), Error);
  }
  for (const double share : {0.0, 1.1, nan}) {
    EXPECT_THROW(make_training_measure("ndcg@10", {.listed = share}), Error);
  }
  EXPECT_THROW(make_training_measure("mpa", {}), Error);
}

}  // namespace
}  // namespace structhash
