#include "learner/tuning/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "hashing/families/dither.hpp"
#include "learner/label_shares.hpp"
#include "learner/tiny_lists.hpp"
#include "learner/tuning/held_out_scores.hpp"
#include "ranking/ranked_query.hpp"
#include "structhash/core/error.hpp"
#include "structhash/relevance/builders.hpp"

namespace structhash {
namespace {

TrainingSet numbered_rows(Index rows, bool with_labels) {
  TrainingSet data{.x = Matrix<float>(rows, 2), .labels = {}, .lists = random_lists(rows, 4, 5, 1)};
  for (Index row = 0; row < rows; ++row) {
    data.x(row, 0) = static_cast<float>(row);
    data.x(row, 1) = 1.0F;
    if (with_labels) {
      data.labels.classes.push_back(static_cast<int>(row % 3));
    }
  }
  return data;
}

Fold fold_of(const TrainingSet& data, double share = 0.25) {
  return make_fold(data, Shards(data.x.rows()), share, Seed{2});
}

/// The row of the whole set that a row of a fold was: numbered_rows says it.
Index original(const Matrix<float>& rows, Index row) {
  return static_cast<Index>(rows(row, 0));
}

/// The training part must not hold a validation query: neither as a row nor as an item.
TEST(Fold, NoValidationQueryIsTrainedOn) {
  for (const bool with_labels : {false, true}) {
    const TrainingSet data = numbered_rows(60, with_labels);
    const Fold fold = fold_of(data);
    EXPECT_EQ(fold.training.x.rows(), 45);
    EXPECT_DOUBLE_EQ(fold.listed, with_labels ? 0.25 : 1.0);
    std::set<Index> trained;
    for (Index row = 0; row < fold.training.x.rows(); ++row) {
      trained.insert(original(fold.training.x, row));
    }
    std::set<Index> queries;
    for (const RelevanceList& list : fold.validation) {
      queries.insert(list.query);
      EXPECT_FALSE(trained.contains(original(fold.rows, list.query)));
      for (const auto* group : {&list.relevant, &list.irrelevant}) {
        EXPECT_FALSE(group->empty());
        for (const Index item : *group) {
          // With labels queries rank the other validation rows, without labels the items of lists.
          EXPECT_EQ(trained.contains(original(fold.rows, item)), !with_labels);
        }
      }
      if (with_labels) {
        EXPECT_EQ(std::ssize(list.relevant) + std::ssize(list.irrelevant), 14);
        for (const Index item : list.relevant) {
          EXPECT_EQ(original(fold.rows, item) % 3, original(fold.rows, list.query) % 3);
        }
      }
    }
    EXPECT_FALSE(queries.empty());
    for (const RelevanceList& list : fold.training.lists) {
      EXPECT_LT(list.query, 45);
      const auto query = static_cast<std::size_t>(original(fold.training.x, list.query));
      for (const Index item : list.relevant) {
        EXPECT_NE(std::ranges::find(data.lists[query].relevant, original(fold.training.x, item)),
                  data.lists[query].relevant.end());
      }
    }
  }
}

/// The few items of a list do not test parameters: all others compete as well.
TEST(Fold, QueriesWithoutLabelsRankEveryItem) {
  TrainingSet data = numbered_rows(60, false);
  const Fold fold = fold_of(data);
  for (const RelevanceList& list : fold.validation) {
    EXPECT_EQ(std::ssize(list.relevant) + std::ssize(list.irrelevant), 45);
    const auto query = static_cast<std::size_t>(original(fold.rows, list.query));
    for (const Index item : list.relevant) {
      EXPECT_NE(std::ranges::find(data.lists[query].relevant, original(fold.rows, item)),
                data.lists[query].relevant.end());
    }
  }
}

/// Relevant items that were judged but not drawn are among those of other lists.
TEST(Fold, JudgedItemsBeyondTheSampleAreRelevant) {
  TrainingSet data{.x = numbered_rows(130, false).x, .labels = {}, .lists = {}};
  Judgments judgments{.items = 100, .queries = {}};
  for (Index query = 0; query < 30; ++query) {  // a third of the items is relevant
    judgments.queries.emplace_back();
    for (Index item = query % 3; item < 100; item += 3) {
      judgments.queries.back().push_back({item, 1});
    }
  }
  data.lists =
      lists_from_judgments(judgments, {.lists = {.relevant = 4, .irrelevant = 60}}, Seed{1}, 1)
          .lists;
  const Fold fold = fold_of(data);
  EXPECT_FALSE(fold.validation.empty());
  for (const RelevanceList& list : fold.validation) {
    const Index kind = (original(fold.rows, list.query) - 100) % 3;
    EXPECT_GE(std::ssize(list.relevant), 33);
    for (const Index item : list.relevant) {
      EXPECT_EQ(original(fold.rows, item) % 3, kind);
    }
    for (const Index item : list.irrelevant) {
      EXPECT_NE(original(fold.rows, item) % 3, kind);
    }
  }
}

TEST(Fold, NearRowsAreRelevantWhetherDrawnOrNot) {
  TrainingSet data = numbered_rows(60, false);
  data.lists =
      lists_from_neighbours(data.x, 0.2, {.relevant = 3, .irrelevant = 5}, Seed{1}, 1).lists;
  data.reach.assign(60, 36.0);  // six rows to either side
  const Fold fold = fold_of(data);
  for (const RelevanceList& list : fold.validation) {
    for (const Index item : list.irrelevant) {
      EXPECT_GT(std::abs(original(fold.rows, item) - original(fold.rows, list.query)), 6);
    }
    const std::set<Index> different(list.relevant.begin(), list.relevant.end());
    EXPECT_EQ(std::ssize(different), std::ssize(list.relevant)) << "an item stands there twice";
    EXPECT_GT(std::ssize(list.relevant), 3) << "the lists hold three at most";
  }
}

/// 200 classes of ten rows: of a random fifth a query would meet 1.8 rows of its class.
TEST(Fold, SmallClassesAreHeldOutInHalves) {
  TrainingSet data = numbered_rows(2'000, false);
  for (Index row = 0; row < 2'000; ++row) {
    data.labels.classes.push_back(static_cast<int>(row % 200));
  }
  data.lists = lists_from_labels(data.labels, {.relevant = 9, .irrelevant = 20}, Seed{1}, 2).lists;
  const Fold fold = fold_of(data, 0.2);
  EXPECT_EQ(fold.validation.size(), 400U);
  EXPECT_NEAR(fold.listed, 4.0 / 9.0, 1e-12);
  for (const RelevanceList& list : fold.validation) {
    EXPECT_EQ(list.relevant.size(), 4U);
    EXPECT_EQ(list.irrelevant.size(), 395U);
  }
  EXPECT_EQ(fold.training.lists.size(), 1'600U) << "the other halves have relevant rows, too";
}

TEST(Fold, RefusesTooFewQueries) {
  EXPECT_THROW(fold_of(numbered_rows(12, true), 0.01), Error);
}

TEST(ListedShare, CountsTheRelevantRowsThatListsLeaveOut) {
  const Labels labels{.classes = {0, 0, 0, 0, 0, 1, 1, 1}, .multi = {}};
  const std::vector<RelevanceList> lists{{.query = 0, .relevant = {1, 2}, .irrelevant = {5}},
                                         {.query = 5, .relevant = {6}, .irrelevant = {0}}};
  EXPECT_DOUBLE_EQ(listed_share(lists, labels), 3.0 / 6.0);
  EXPECT_DOUBLE_EQ(listed_share(lists, {}), 1.0);
}

TEST(RelatedShare, CountsPairsOfRows) {
  const Labels classes{.classes = {0, 0, 0, 1}, .multi = {}};
  EXPECT_DOUBLE_EQ(related_share(classes, Shards(4)), (9.0 + 1.0) / 16.0);
  Labels labels;
  labels.multi.resize(4, 2);
  labels.multi << 1, 0, 1, 1, 0, 1, 0, 0;  // the last row has none
  EXPECT_DOUBLE_EQ(related_share(labels, Shards(4)), (2.0 + 3.0 + 2.0 + 1.0) / 16.0);
}

std::vector<double> scores_of(std::string_view measure, std::span<const RelevanceList> lists,
                              const CodeMatrix& codes, std::vector<float> weights) {
  return scores(held_out_measure(measure, 1.0, lists), lists, codes, weights, 2);
}

TEST(Scores, ExpectedOverTheOrdersOfTies) {
  // Query 0; items 1 (relevant), 2 and 4 (not) at distance 1, item 3 (relevant) at 2.
  CodeMatrix codes(5, 2);
  codes.set(1, 0, true);
  codes.set(2, 1, true);
  codes.set(3, 0, true);
  codes.set(3, 1, true);
  codes.set(4, 1, true);
  const std::vector<RelevanceList> lists{{.query = 0, .relevant = {1, 3}, .irrelevant = {2, 4}}};
  // Item 1 at ranks 1, 2 and 3 alike, item 3 at rank 4: ((1 + 1/2 + 1/3) / 3 + 1/2) / 2.  The mean
  // of the best and the worst order would be ((1 + 1/3) / 2 + 1/2) / 2.
  EXPECT_NEAR(scores_of("map", lists, codes, {1.0F, 1.0F})[0], 5.0 / 9.0, 1e-12);
  // No ties: 1 (1), 2 and 4 (2), 3 (3).
  EXPECT_NEAR(scores_of("map", lists, codes, {1.0F, 2.0F})[0], 0.75, 1e-12);
  const RankedQuery halves{
      .by_threshold = {{{2, 2}, {2, 0}}}, .relevant = {2}, .items = 4, .within = {}};
  EXPECT_NEAR(held_out_measure("precision@4", 0.5, lists)(halves), 1.0, 1e-12)
      << "half of the relevant rows: rank 4 is rank 2 here";
}

TEST(Scores, ListsCountByTheirWeight) {
  CodeMatrix codes(3, 1);
  codes.set(2, 0, true);  // item 1 lies at the query, item 2 does not
  const RelevanceList good{.query = 0, .relevant = {1}, .irrelevant = {2}, .weight = 0.25};
  const RelevanceList bad{.query = 0, .relevant = {2}, .irrelevant = {1}, .weight = 0.75};
  const std::vector<RelevanceList> one_query{good, bad};
  const std::vector<double> graded = scores_of("auc", one_query, codes, {1.0F});
  ASSERT_EQ(graded.size(), 1U) << "one score per query";
  EXPECT_NEAR(graded[0], 0.25, 1e-12);
  // Queries of other weights: the mean of the scores is the weighted mean.
  const std::vector<RelevanceList> queries{
      good, {.query = 1, .relevant = {2}, .irrelevant = {0}, .weight = 0.75}};
  const std::vector<double> weighted = scores_of("auc", queries, codes, {1.0F});
  ASSERT_EQ(weighted.size(), 2U);
  EXPECT_NEAR((weighted[0] + weighted[1]) / 2.0, 0.25, 1e-12);
}

}  // namespace
}  // namespace structhash
