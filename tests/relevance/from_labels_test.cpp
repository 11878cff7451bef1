#include <chrono>
#include <map>
#include <set>

#include "support.hpp"

namespace structhash {
namespace {

Labels classes(Index rows, Index count, std::uint64_t seed) {
  Rng rng(Seed{seed});
  Labels labels;
  for (Index row = 0; row < rows; ++row) {
    labels.classes.push_back(static_cast<int>(rng.below(count)) * 7 - 10);
  }
  return labels;
}

bool share_label(const Labels& labels, Index a, Index b) {
  return (labels.multi.row(a).array() * labels.multi.row(b).array()).maxCoeff() > 0;
}

TEST(ListsFromLabels, ClassesDivideRelevantFromIrrelevant) {
  const Labels labels = classes(300, 3, 1);
  const ListOptions options{.relevant = 20, .irrelevant = 30, .queries = {}};
  const BuiltLists built = lists_from_labels(labels, options, Seed{5}, 2);
  ASSERT_EQ(built.lists.size(), 300U);
  EXPECT_EQ(built.queries, 300);
  EXPECT_EQ(built.without_relevant + built.without_irrelevant, 0);
  const auto class_of = [&](Index row) { return labels.classes[static_cast<std::size_t>(row)]; };
  for (const RelevanceList& list : built.lists) {
    expect_sound(list, options);
    EXPECT_EQ(list.relevant.size(), 20U);
    EXPECT_EQ(list.irrelevant.size(), 30U);
    EXPECT_EQ(list.weight, 1.0);
    for (const Index item : list.relevant) {
      EXPECT_EQ(class_of(item), class_of(list.query));
    }
    for (const Index item : list.irrelevant) {
      EXPECT_NE(class_of(item), class_of(list.query));
    }
  }
}

/// Rows after the items are queries alone: no list holds them, and only they have lists.
TEST(ListsFromLabels, SeparateQueriesRankTheItems) {
  Labels labels = classes(300, 3, 1);
  labels.classes[290] = 1'000;  // a class without items
  Labels multi{.classes = {}, .multi = Matrix<std::uint8_t>::Zero(300, 3)};
  for (Index row = 0; row < 300; ++row) {
    multi.multi(row, row % 3) = 1;
    multi.multi(row, row / 150) = 1;
  }
  for (const Labels& all : {labels, multi}) {
    const ListOptions options{.relevant = 20, .irrelevant = 30, .items = 200};
    const BuiltLists built = lists_from_labels(all, options, Seed{5}, 2);
    EXPECT_EQ(built.queries, 100);
    EXPECT_EQ(built.without_relevant, all.is_multi() ? 0 : 1);
    for (const RelevanceList& list : built.lists) {
      expect_sound(list, options);
      EXPECT_GE(list.query, 200);
      EXPECT_LT(list.relevant.back(), 200);
      EXPECT_LT(list.irrelevant.back(), 200);
      for (const Index item : list.relevant) {
        EXPECT_TRUE(all.related(item, list.query));
      }
    }
  }
  std::set<Index> ranked;  // every item, in some list
  const ListOptions everything{.relevant = 300, .irrelevant = 300, .items = 200};
  for (const RelevanceList& list : lists_from_labels(labels, everything, Seed{5}, 1).lists) {
    EXPECT_EQ(list.relevant.size() + list.irrelevant.size(), 200U);
    ranked.insert(list.relevant.begin(), list.relevant.end());
  }
  EXPECT_EQ(ranked.size(), 200U);
  EXPECT_THROW(lists_from_labels(labels, {.items = 300}, Seed{5}, 1), Error);
}

TEST(ListsFromLabels, EveryItemIsDrawnAlike) {
  // 6 of one class, 5 of another, in mixed order; query 3 has 5 relevant and 5 irrelevant items.
  const Labels labels{.classes = {1, 2, 2, 1, 1, 2, 1, 2, 1, 2, 1}, .multi = {}};
  std::map<Index, int> hits;
  for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
    const auto built =
        lists_from_labels(labels, {.relevant = 2, .irrelevant = 1, .queries = {3}}, Seed{seed}, 1);
    for (const Index item : built.lists[0].relevant) {
      ++hits[item];
    }
    for (const Index item : built.lists[0].irrelevant) {
      ++hits[item];
    }
  }
  EXPECT_EQ(hits.size(), 10U);
  for (const auto& [item, count] : hits) {
    const bool relevant = labels.classes[static_cast<std::size_t>(item)] == 1;
    EXPECT_NEAR(count, relevant ? 2'000 : 1'000, 180) << item;
  }
}

TEST(ListsFromLabels, FewItemsGiveShortLists) {
  const Labels labels{.classes = {1, 1, 2}, .multi = {}};
  const BuiltLists built = lists_from_labels(labels, {}, Seed{1}, 1);
  ASSERT_EQ(built.lists.size(), 2U);
  EXPECT_EQ(built.lists[0].relevant, std::vector<Index>{1});
  EXPECT_EQ(built.lists[1].relevant, std::vector<Index>{0});
  EXPECT_EQ(built.lists[1].irrelevant, std::vector<Index>{2});
  EXPECT_EQ(built.without_relevant, 1);  // row 2 is alone in its class
}

TEST(ListsFromLabels, MultiLabelsShareAtLeastOne) {
  Rng rng(Seed{2});
  Labels labels;
  labels.multi = Matrix<std::uint8_t>::NullaryExpr(
      200, 70, [&] { return static_cast<std::uint8_t>(rng.below(12) == 0 ? 1 : 0); });
  labels.multi.row(17).setZero();  // no label: nothing is relevant
  labels.multi.row(18).setOnes();  // all labels
  const ListOptions options{
      .relevant = 9, .irrelevant = 8, .queries = {}, .grades = LabelGrades::any};
  const BuiltLists built = lists_from_labels(labels, options, Seed{3}, 2);
  Index alone = 0;  // rows that share a label with no other row
  for (Index a = 0; a < 200; ++a) {
    bool shares = false;
    for (Index b = 0; b < 200; ++b) {
      shares = shares || (a != b && share_label(labels, a, b));
    }
    alone += shares ? 0 : 1;
  }
  EXPECT_GE(alone, 1);
  EXPECT_EQ(built.without_relevant, alone);
  EXPECT_EQ(std::ssize(built.lists), 200 - alone - built.without_irrelevant);
  for (const RelevanceList& list : built.lists) {
    expect_sound(list, options);
    EXPECT_NE(list.query, 17);
    for (const Index item : list.relevant) {
      EXPECT_TRUE(share_label(labels, list.query, item));
    }
    for (const Index item : list.irrelevant) {
      EXPECT_FALSE(share_label(labels, list.query, item));
    }
  }
}

/// The slow twin: labels counted one by one.
int shared_labels(const Labels& labels, Index a, Index b) {
  int count = 0;
  for (Index label = 0; label < labels.multi.cols(); ++label) {
    count += labels.multi(a, label) != 0 && labels.multi(b, label) != 0 ? 1 : 0;
  }
  return count;
}

TEST(ListsFromLabels, OneListForEveryNumberOfSharedLabels) {
  Rng rng(Seed{2});
  Labels labels;
  labels.multi = Matrix<std::uint8_t>::NullaryExpr(
      150, 70, [&] { return static_cast<std::uint8_t>(rng.below(9) == 0 ? 1 : 0); });
  const ListOptions options{.relevant = 9, .irrelevant = 8};
  const BuiltLists built = lists_from_labels(labels, options, Seed{3}, 2);
  EXPECT_TRUE(equal(built, lists_from_labels(labels, options, Seed{3}, 1)));
  std::map<Index, std::vector<const RelevanceList*>> of_query;
  for (const RelevanceList& list : built.lists) {
    expect_sound(list, options);
    of_query[list.query].push_back(&list);
  }
  Index graded = 0;
  for (const auto& [query, lists] : of_query) {
    int most = 0;
    for (Index row = 0; row < labels.size(); ++row) {
      most = std::max(most, row == query ? 0 : shared_labels(labels, query, row));
    }
    ASSERT_EQ(std::ssize(lists), most) << query;
    graded += most > 1 ? 1 : 0;
    for (int threshold = 1; threshold <= most; ++threshold) {
      const RelevanceList& list = *lists[static_cast<std::size_t>(threshold - 1)];
      EXPECT_DOUBLE_EQ(list.weight, 1.0 / most);
      for (const Index item : list.relevant) {
        EXPECT_GE(shared_labels(labels, query, item), threshold);
      }
      for (const Index item : list.irrelevant) {
        EXPECT_LT(shared_labels(labels, query, item), threshold);
      }
    }
  }
  EXPECT_GT(graded, 50);
}

/// 1 + floor((grades - 1) shared / labels of either row), counted one by one.
int jaccard_grade(const Labels& labels, Index a, Index b) {
  int either = 0;
  for (Index label = 0; label < labels.multi.cols(); ++label) {
    either += labels.multi(a, label) != 0 || labels.multi(b, label) != 0 ? 1 : 0;
  }
  const int shared = shared_labels(labels, a, b);
  int grade = shared > 0 ? 1 : 0;
  while (grade > 0 && shared * (kJaccardGrades - 1) >= grade * either) {
    ++grade;
  }
  return grade;
}

TEST(ListsFromLabels, GradesByTheJaccardIndex) {
  Rng rng(Seed{4});
  Labels labels;
  labels.multi = Matrix<std::uint8_t>::NullaryExpr(
      120, 6, [&] { return static_cast<std::uint8_t>(rng.below(3) == 0 ? 1 : 0); });
  const ListOptions options{.relevant = 9, .irrelevant = 8, .grades = LabelGrades::jaccard};
  std::map<Index, std::size_t> thresholds;  // of every query so far
  const auto grades_of = [&](Index query) {
    std::set<int> grades;
    for (Index row = 0; row < labels.size(); ++row) {
      if (row != query && jaccard_grade(labels, query, row) > 0) {
        grades.insert(jaccard_grade(labels, query, row));
      }
    }
    return grades;
  };
  for (const RelevanceList& list : lists_from_labels(labels, options, Seed{3}, 2).lists) {
    expect_sound(list, options);
    const std::set<int> grades = grades_of(list.query);
    const int threshold =
        *std::next(grades.begin(), static_cast<std::ptrdiff_t>(thresholds[list.query]++));
    for (const Index item : list.relevant) {
      EXPECT_GE(jaccard_grade(labels, list.query, item), threshold);
    }
    for (const Index item : list.irrelevant) {
      EXPECT_LT(jaccard_grade(labels, list.query, item), threshold);
    }
  }
  std::set<std::size_t> numbers;
  for (const auto& [query, count] : thresholds) {
    EXPECT_EQ(count, grades_of(query).size()) << query;
    numbers.insert(count);
  }
  EXPECT_GE(numbers.size(), 2U) << "some queries leave out grades";
}

TEST(ListsFromLabels, GradesHaveNames) {
  EXPECT_EQ(parse_label_grades("any"), LabelGrades::any);
  EXPECT_EQ(parse_label_grades("shared"), LabelGrades::shared);
  EXPECT_EQ(parse_label_grades("jaccard"), LabelGrades::jaccard);
  const auto unknown = message_of(Errc::usage, [] { parse_label_grades("jacard"); });
  expect_contains(unknown, "unknown label grades 'jacard'; did you mean 'jaccard'?");
}

TEST(ListsFromLabels, AQueryHasTheSameListsInAnySubsetAndOnAnyThreads) {
  const Labels labels = classes(500, 4, 1);
  const BuiltLists all = lists_from_labels(labels, {}, Seed{7}, 1);
  EXPECT_TRUE(equal(all, lists_from_labels(labels, {}, Seed{7}, 4)));
  EXPECT_FALSE(equal(all, lists_from_labels(labels, {}, Seed{8}, 1)));
  const BuiltLists some = lists_from_labels(labels, {.queries = {400, 3}}, Seed{7}, 2);
  EXPECT_EQ(some.queries, 2);
  EXPECT_EQ(some.lists[0].query, 400);
  EXPECT_EQ(some.lists[0].relevant, all.lists[400].relevant);
  EXPECT_EQ(some.lists[1].irrelevant, all.lists[3].irrelevant);
}

/// One big class: looking at every row for every query would take minutes.
TEST(ListsFromLabels, LargeClassesCostNoMoreThanTheLists) {
  Labels labels{.classes = std::vector<int>(200'000, 1), .multi = {}};
  for (std::size_t row = 0; row < labels.classes.size(); row += 100'000) {
    labels.classes[row] = 2;
  }
  const auto start = std::chrono::steady_clock::now();
  const auto built =
      lists_from_labels(labels, {.relevant = 2, .irrelevant = 2, .queries = {}}, Seed{1}, 2);
  EXPECT_EQ(built.lists.size(), 200'000U);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(ListsFromLabels, RefusesWhatCannotWork) {
  const Labels one_class{.classes = {4, 4, 4}, .multi = {}};
  const auto nothing =
      message_of(Errc::bad_data, [&] { lists_from_labels(one_class, {}, Seed{1}, 1); });
  expect_contains(nothing, "3 queries: 0 have no relevant item, 3 no irrelevant one");
  const Labels labels = classes(10, 2, 1);
  EXPECT_THROW(lists_from_labels({}, {}, Seed{1}, 1), Error);
  EXPECT_THROW(lists_from_labels(labels, {.relevant = 0}, Seed{1}, 1), Error);
  EXPECT_THROW(lists_from_labels(labels, {.irrelevant = 0}, Seed{1}, 1), Error);
  EXPECT_THROW(lists_from_labels(labels, {.queries = {-1}}, Seed{1}, 1), Error);
  const auto outside =
      message_of(Errc::usage, [&] { lists_from_labels(labels, {.queries = {2, 10}}, Seed{1}, 1); });
  expect_contains(outside, "query 11 does not exist; there are 10");
  EXPECT_THROW(lists_from_labels(labels, {.queries = {2, 2}}, Seed{1}, 1), Error);
}

}  // namespace
}  // namespace structhash
