#include "learner/tuning/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "learner/label_shares.hpp"
#include "learner/tiny_lists.hpp"
#include "learner/tuning/held_out_scores.hpp"
#include "ranking/training_gains.hpp"
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
  return make_fold(data, Shards(data.x.rows()), {.share = share, .max_queries = 100}, Seed{2});
}

/// The training part must not hold a validation query: neither as a row nor as an item.
TEST(Fold, NoValidationQueryIsTrainedOn) {
  for (const bool with_labels : {false, true}) {
    const TrainingSet data = numbered_rows(60, with_labels);
    const Fold fold = fold_of(data);
    EXPECT_EQ(fold.training.x.rows(), 45);
    std::set<float> trained;
    for (Index row = 0; row < fold.training.x.rows(); ++row) {
      trained.insert(fold.training.x(row, 0));  // the original row number
    }
    std::set<Index> queries;
    for (const RelevanceList& list : fold.validation) {
      queries.insert(list.query);
      EXPECT_FALSE(trained.contains(static_cast<float>(list.query)));
      for (const auto* group : {&list.relevant, &list.irrelevant}) {
        EXPECT_FALSE(group->empty());
        for (const Index item : *group) {
          // With labels queries rank the other validation rows, without labels the items of lists.
          EXPECT_EQ(trained.contains(static_cast<float>(item)), !with_labels);
        }
      }
      if (with_labels) {
        EXPECT_EQ(std::ssize(list.relevant) + std::ssize(list.irrelevant), 14);
        for (const Index item : list.relevant) {
          EXPECT_EQ(item % 3, list.query % 3);
        }
      }
    }
    EXPECT_FALSE(queries.empty());
    for (const RelevanceList& list : fold.training.lists) {
      EXPECT_LT(list.query, 45);
      const auto original = static_cast<std::size_t>(fold.training.x(list.query, 0));
      for (const Index item : list.relevant) {
        const auto row = static_cast<Index>(fold.training.x(item, 0));
        EXPECT_NE(std::ranges::find(data.lists[original].relevant, row),
                  data.lists[original].relevant.end());
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
    const RelevanceList& drawn = data.lists[static_cast<std::size_t>(list.query)];
    for (const Index item : list.relevant) {
      EXPECT_NE(std::ranges::find(drawn.relevant, item), drawn.relevant.end());
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
      EXPECT_GT(std::abs(item - list.query), 6);
    }
    const std::set<Index> different(list.relevant.begin(), list.relevant.end());
    EXPECT_EQ(std::ssize(different), std::ssize(list.relevant)) << "an item stands there twice";
    EXPECT_GT(std::ssize(list.relevant), 3) << "the lists hold three at most";
  }
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

TEST(Scores, MeanOfBothTieOrders) {
  // Query 0; items 1 (relevant) and 2 (irrelevant) at distance 1, item 3 (relevant) at 2.
  CodeMatrix codes(4, 2);
  codes.set(1, 0, true);
  codes.set(2, 1, true);
  codes.set(3, 0, true);
  codes.set(3, 1, true);
  const std::vector<RelevanceList> lists{{.query = 0, .relevant = {1, 3}, .irrelevant = {2}}};
  const auto measure = make_measure("map");
  const std::vector<float> plain{1.0F, 1.0F};
  // R I R: (1 + 2/3) / 2 = 5/6; I R R: (1/2 + 2/3) / 2 = 7/12; mean 17/24.
  EXPECT_NEAR(scores(*measure, lists, codes, plain, 1)[0], 17.0 / 24.0, 1e-12);
  const std::vector<float> weighted{1.0F, 2.0F};  // no ties: item 2 at distance 2
  EXPECT_NEAR(scores(*measure, lists, codes, weighted, 2)[0], 5.0 / 6.0, 1e-12);
}

}  // namespace
}  // namespace structhash
