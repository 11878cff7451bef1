#include "structhash/evaluation/curves.hpp"

#include <gtest/gtest.h>

#include "random_codes.hpp"
#include "ranking/expected.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

using expected::precision_at_recall;

struct Fixture {
  CodeMatrix database = random_codes(300, 12, 1);
  CodeMatrix queries = random_codes(15, 12, 2);
  GroundTruth truth = GroundTruth::from_labels(random_classes(15, 3, 3), random_classes(300, 3, 4));
};

TEST(PrecisionAtRecall, HandWorked) {
  // Groups (2 items, 1 relevant), (1, 0), (2, 2), (5, 1); 4 relevant in all.
  const RankedQuery query{.by_threshold = {{{2, 1}, {1, 0}, {2, 2}, {5, 1}}},
                          .relevant = {4},
                          .items = 10,
                          .within = {}};
  EXPECT_DOUBLE_EQ(precision_at_recall(query, 0.10), 0.5 / 1.0);  // rank 1 reaches 0.125
  EXPECT_DOUBLE_EQ(precision_at_recall(query, 0.25), 1.0 / 2.0);
  EXPECT_DOUBLE_EQ(precision_at_recall(query, 0.26), 2.0 / 4.0);
  EXPECT_DOUBLE_EQ(precision_at_recall(query, 0.75), 3.0 / 5.0);
  EXPECT_DOUBLE_EQ(precision_at_recall(query, 0.80), 3.2 / 6.0);
  EXPECT_DOUBLE_EQ(precision_at_recall(query, 1.00), 4.0 / 10.0);
}

TEST(PrecisionAtRecall, LevelThatIsNeverReachedGivesZero) {
  const RankedQuery query{.by_threshold = {{{2, 1}}}, .relevant = {4}, .items = 10, .within = {}};
  EXPECT_DOUBLE_EQ(precision_at_recall(query, 0.25), 0.5);
  EXPECT_DOUBLE_EQ(precision_at_recall(query, 0.30), 0.0);
}

TEST(PrecisionAtRecall, RoundingAsksForNoFurtherItem) {
  // 0.7 * 10 is 7 items, all in front, for any number of items that far.
  for (Index relevant = 1; relevant <= 1'000; ++relevant) {
    const RankedQuery query{
        .by_threshold = {{{7 * relevant, 7 * relevant}, {93, 0}, {5 * relevant, 3 * relevant}}},
        .relevant = {10 * relevant},
        .items = 12 * relevant + 93,
        .within = {}};
    ASSERT_DOUBLE_EQ(precision_at_recall(query, 0.7), 1.0) << relevant;
  }
}

TEST(Curves, PointsEqualTheMeasures) {
  const Fixture f;
  for (const bool weighted : {false, true}) {
    const std::vector<float> weights = weighted ? random_weights(12, 5) : std::vector<float>{};
    const Curves curves = evaluate_curves(f.database, f.queries, weights, f.truth, {}, {});
    EXPECT_EQ(curves.ranks.back(), 200);  // 500 and more exceed the database
    for (std::size_t i = 0; i < curves.ranks.size(); ++i) {
      const std::string K = std::to_string(curves.ranks[i]);
      const std::vector<std::string> measures{"precision@" + K, "recall@" + K};
      const auto expected = evaluate(f.database, f.queries, weights, f.truth, measures, {});
      EXPECT_NEAR(curves.precision_at_rank[i], expected.means[0], 1e-14);
      EXPECT_NEAR(curves.recall_at_rank[i], expected.means[1], 1e-14);
    }
    ASSERT_EQ(curves.radii, (std::vector<Index>{0, 1, 2, 3, 4}));
    for (const Index radius : curves.radii) {
      const std::vector<std::string> measures{"precision-radius@" + std::to_string(radius)};
      EXPECT_NEAR(curves.precision_in_radius[static_cast<std::size_t>(radius)],
                  evaluate(f.database, f.queries, weights, f.truth, measures, {}).means[0], 1e-14);
    }
    EXPECT_TRUE(std::ranges::is_sorted(curves.recall_in_radius));
    EXPECT_EQ(curves.precision_at_recall.size(), curves.recall_levels.size());
    EXPECT_NEAR(curves.precision_at_recall.back(), 1.0 / 3.0, 0.05);  // everything: chance
  }
}

TEST(Curves, TheWholeRadiusFindsEverything) {
  const Fixture f;
  const Curves curves = evaluate_curves(f.database, f.queries, {}, f.truth, {.max_radius = 99}, {});
  EXPECT_EQ(curves.radii.back(), 12);
  EXPECT_DOUBLE_EQ(curves.recall_in_radius.back(), 1.0);
}

TEST(Curves, SameBytesForAnyNumberOfThreads) {
  const Fixture f;
  const auto run = [&](int threads) {
    return evaluate_curves(f.database, f.queries, {}, f.truth, {},
                           {.ties = Ties::average, .threads = threads, .on_progress = {}});
  };
  const Curves one = run(1);
  const Curves four = run(4);
  EXPECT_EQ(one.precision_at_recall, four.precision_at_recall);
  EXPECT_EQ(one.recall_at_rank, four.recall_at_rank);
}

TEST(Curves, RefusesNonsense) {
  const Fixture f;
  const auto run = [&](const CurveOptions& options) {
    evaluate_curves(f.database, f.queries, {}, f.truth, options, {});
  };
  EXPECT_THROW(run({.recall_levels = {0.0}}), Error);
  EXPECT_THROW(run({.recall_levels = {1.1}}), Error);
  EXPECT_THROW(run({.ranks = {0}}), Error);
  EXPECT_THROW(run({.max_radius = -1}), Error);
}

}  // namespace
}  // namespace structhash
