#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "ranking/discount.hpp"
#include "support.hpp"

namespace structhash {
namespace {

Judgments random_judgments(Index queries, Index items, int highest, std::uint64_t seed) {
  Rng rng(Seed{seed});
  Judgments judgments{.items = items, .queries = {}};
  for (Index query = 0; query < queries; ++query) {
    judgments.queries.emplace_back();
    for (Index item = 0; item < items; ++item) {
      if (rng.below(3) != 0) {
        judgments.queries.back().push_back({item, static_cast<int>(rng.below(highest + 2)) - 1});
      }
    }
  }
  return judgments;
}

double binary_ndcg(const std::vector<Index>& order, const std::set<Index>& relevant, Index cutoff,
                   Discount discount) {
  double dcg = 0.0;
  double ideal = 0.0;
  for (Index rank = 1; rank <= std::min(cutoff, std::ssize(order)); ++rank) {
    dcg += relevant.contains(order[static_cast<std::size_t>(rank - 1)]) ? discount(rank) : 0.0;
    ideal += rank <= std::ssize(relevant) ? discount(rank) : 0.0;
  }
  return dcg / ideal;
}

double graded_ndcg(const std::vector<Index>& order, const std::map<Index, int>& grades,
                   Index cutoff, Discount discount) {
  const auto dcg = [&](const std::vector<int>& ranked) {
    double sum = 0.0;
    for (Index rank = 1; rank <= std::min(cutoff, std::ssize(ranked)); ++rank) {
      sum += (std::exp2(ranked[static_cast<std::size_t>(rank - 1)]) - 1.0) * discount(rank);
    }
    return sum;
  };
  std::vector<int> ranked;
  for (const Index item : order) {
    ranked.push_back(grades.at(item));
  }
  std::vector<int> ideal = ranked;
  std::ranges::sort(ideal, std::greater{});
  return dcg(ranked) / dcg(ideal);
}

/// The identity that gives graded relevance its weights, on random rankings of random lists.
TEST(ListsFromJudgments, GradedNdcgIsTheWeightedMeanOfBinaryNdcg) {
  const Judgments judgments = random_judgments(40, 30, 4, 1);
  for (const Discount discount : {discount_paper, discount_standard}) {
    for (const Index cutoff : {1, 3, 10, 100}) {
      const BuiltLists built =
          lists_from_judgments(judgments,
                               {.lists = {.relevant = 8, .irrelevant = 9, .queries = {}},
                                .cutoff = cutoff,
                                .discount = discount},
                               Seed{2}, 1);
      std::map<Index, std::vector<const RelevanceList*>> by_query;
      for (const RelevanceList& list : built.lists) {
        by_query[list.query].push_back(&list);
      }
      ASSERT_EQ(by_query.size(), 40U);
      Rng rng(Seed{3});
      for (const auto& [row, lists] : by_query) {
        std::vector<Index> order = lists[0]->relevant;
        order.insert(order.end(), lists[0]->irrelevant.begin(), lists[0]->irrelevant.end());
        std::map<Index, int> grades;
        for (const Index item : order) {
          grades[item] = 0;
        }
        for (const auto& [item, grade] : judgments.queries[static_cast<std::size_t>(row - 30)]) {
          if (grades.contains(item)) {
            grades[item] = std::max(0, grade);
          }
        }
        for (int repeat = 0; repeat < 5; ++repeat) {
          rng.shuffle(order);
          double mean = 0.0;
          double weights = 0.0;
          for (const RelevanceList* list : lists) {
            mean +=
                list->weight * binary_ndcg(order, {list->relevant.begin(), list->relevant.end()},
                                           cutoff, discount);
            weights += list->weight;
          }
          ASSERT_NEAR(weights, 1.0, 1e-14);
          ASSERT_NEAR(mean, graded_ndcg(order, grades, cutoff, discount), 1e-12);
        }
      }
    }
  }
}

TEST(ListsFromJudgments, OneListPerThresholdOverOneSample) {
  // Items 0..5 of 10 judged with grades 2, 1, 1, 0, -1, 2.
  const Judgments judgments{.items = 10,
                            .queries = {{{0, 2}, {1, 1}, {2, 1}, {3, 0}, {4, -1}, {5, 2}}}};
  const BuiltLists built =
      lists_from_judgments(judgments, {.lists = {}, .sample_unjudged = false}, Seed{1}, 1);
  ASSERT_EQ(built.lists.size(), 2U);
  EXPECT_EQ(built.lists[0].query, 10);  // behind the items
  EXPECT_EQ(built.lists[0].relevant, (std::vector<Index>{0, 1, 2, 5}));
  EXPECT_EQ(built.lists[0].irrelevant, (std::vector<Index>{3, 4}));
  EXPECT_EQ(built.lists[1].relevant, (std::vector<Index>{0, 5}));
  EXPECT_EQ(built.lists[1].irrelevant, (std::vector<Index>{1, 2, 3, 4}));
  // Without a discount: gain(t) - gain(t-1) = 1 and 2, scaled to sum to 1.
  EXPECT_DOUBLE_EQ(built.lists[0].weight, 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(built.lists[1].weight, 2.0 / 3.0);
}

TEST(ListsFromJudgments, UnjudgedItemsFillUpBehindTheJudgedOnes) {
  const Judgments judgments{.items = 100, .queries = {{{7, 1}, {8, 0}, {9, 0}}}};
  const JudgedListOptions options{.lists = {.relevant = 5, .irrelevant = 6, .queries = {}}};
  const RelevanceList list = lists_from_judgments(judgments, options, Seed{1}, 1).lists.at(0);
  EXPECT_EQ(list.relevant, std::vector<Index>{7});
  EXPECT_EQ(list.irrelevant.size(), 6U);
  EXPECT_TRUE(std::ranges::binary_search(list.irrelevant, 8));
  EXPECT_TRUE(std::ranges::binary_search(list.irrelevant, 9));
  expect_sound(list, options.lists);
}

TEST(ListsFromJudgments, ThresholdsThatEveryItemPassesGiveNoList) {
  // No irrelevant item: threshold 1 cannot be lost, threshold 2 can.
  const Judgments judgments{.items = 3, .queries = {{{0, 1}, {1, 2}, {2, 1}}}};
  const BuiltLists built = lists_from_judgments(
      judgments, {.sample_unjudged = false, .discount = discount_standard}, Seed{1}, 1);
  ASSERT_EQ(built.lists.size(), 1U);
  EXPECT_EQ(built.lists[0].relevant, std::vector<Index>{1});
  // 2 IDCG_2 / (IDCG_1 + 2 IDCG_2): what is lost of the graded measure is lost here alone.
  const double all = 1.0 + 1.0 / std::log2(3.0) + 0.5;
  EXPECT_DOUBLE_EQ(built.lists[0].weight, 2.0 / (all + 2.0));
}

TEST(ListsFromJudgments, CountsQueriesWithoutLists) {
  const Judgments judgments{.items = 4,
                            .queries = {{{0, 1}, {1, 0}}, {}, {{2, 0}}, {{0, 1}, {1, 1}}}};
  const BuiltLists built = lists_from_judgments(judgments, {.sample_unjudged = false}, Seed{1}, 1);
  EXPECT_EQ(built.lists.size(), 1U);
  EXPECT_EQ(built.queries, 4);
  EXPECT_EQ(built.without_relevant, 2);    // queries 2 and 3
  EXPECT_EQ(built.without_irrelevant, 2);  // queries 2 and 4
  const BuiltLists filled = lists_from_judgments(judgments, {}, Seed{1}, 1);
  EXPECT_EQ(filled.lists.size(), 2U);
  EXPECT_EQ(filled.without_irrelevant, 0);
}

TEST(ListsFromJudgments, SameForAnyThreadsAndSubset) {
  const Judgments judgments = random_judgments(50, 200, 2, 4);
  const JudgedListOptions options{.lists = {.relevant = 5, .irrelevant = 5, .queries = {}}};
  const BuiltLists all = lists_from_judgments(judgments, options, Seed{1}, 1);
  EXPECT_TRUE(equal(all, lists_from_judgments(judgments, options, Seed{1}, 4)));
  JudgedListOptions one = options;
  one.lists.queries = {30};
  const BuiltLists single = lists_from_judgments(judgments, one, Seed{1}, 1);
  const auto same = std::ranges::find(all.lists, Index{230}, &RelevanceList::query);
  ASSERT_NE(same, all.lists.end());
  EXPECT_EQ(single.lists[0].relevant, same->relevant);
}

TEST(ListsFromJudgments, RefusesNonsense) {
  const Judgments nothing{.items = 3, .queries = {{}, {{1, 0}}}};
  message_of(Errc::bad_data, [&] { lists_from_judgments(nothing, {}, Seed{1}, 1); });
  const Judgments unsorted{.items = 3, .queries = {{{1, 1}, {0, 1}}}};
  const auto message =
      message_of(Errc::bad_data, [&] { lists_from_judgments(unsorted, {}, Seed{1}, 1); });
  expect_contains(message, "judgments of query 1: item 1 is out of order or judged twice");
  const Judgments fine{.items = 3, .queries = {{{0, 1}}}};
  EXPECT_THROW(lists_from_judgments(fine, {.cutoff = 0}, Seed{1}, 1), Error);
}

}  // namespace
}  // namespace structhash
