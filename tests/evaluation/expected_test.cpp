#include <gtest/gtest.h>

#include "brute_force.hpp"
#include "structhash/core/rng.hpp"

namespace structhash {
namespace {

using brute_force::over_all_orders;

/// One query: distances, grades (0: not relevant) and what we say about it.
struct Case {
  std::vector<double> distances;
  std::vector<int> grades;
};

double ours(const std::string& measure, const Case& query, Ties ties) {
  Judgments judgments{.items = std::ssize(query.grades), .queries = {{}}};
  for (std::size_t i = 0; i < query.grades.size(); ++i) {
    if (query.grades[i] != 0) {
      judgments.queries[0].push_back({.item = static_cast<Index>(i), .grade = query.grades[i]});
    }
  }
  const std::vector<std::string> measures{measure};
  return evaluate_rankings(
             [&](Index, std::span<double> out) { std::ranges::copy(query.distances, out.begin()); },
             GroundTruth::from_judgments(judgments), measures,
             {.ties = ties, .threads = 1, .on_progress = {}})
      .means.front();
}

/// Few distinct distances make ties; some items may not be found at all.
Case random_case(std::uint64_t seed, Index items, Index distinct, int highest_grade, bool missing) {
  Rng rng(Seed{seed});
  Case query;
  for (Index i = 0; i < items; ++i) {
    query.distances.push_back(missing && rng.below(4) == 0 ? INFINITY
                                                           : to_double(rng.below(distinct)) - 1.0);
    query.grades.push_back(static_cast<int>(rng.below(highest_grade + 1)));
  }
  query.grades[static_cast<std::size_t>(rng.below(items))] = 1;  // at least one is relevant
  return query;
}

class EveryEvaluationMeasure : public testing::TestWithParam<MeasureEntry> {
 protected:
  /// The measure with each sensible cut-off: below, at and above the number of items.
  void for_each_cutoff(const std::function<void(const std::string&, std::size_t)>& body) const {
    const std::string name(GetParam().name);
    if (GetParam().cutoff == CutOff::none || GetParam().cutoff == CutOff::optional) {
      body(name, 0);
    }
    if (GetParam().cutoff == CutOff::rank || GetParam().cutoff == CutOff::optional) {
      for (const std::size_t cutoff : {1U, 2U, 3U, 5U, 7U, 20U}) {
        body(name + "@" + std::to_string(cutoff), cutoff);
      }
    }
  }
  std::string name() const { return std::string(GetParam().name); }
};

TEST_P(EveryEvaluationMeasure, AverageIsTheMeanOverAllOrders) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const Case query = random_case(seed, 1 + static_cast<Index>(seed % 7), 3,
                                   1 + static_cast<int>(seed % 3), seed % 5 == 0);
    for_each_cutoff([&](const std::string& measure, std::size_t cutoff) {
      ASSERT_NEAR(ours(measure, query, Ties::average),
                  over_all_orders(name(), cutoff, query.distances, query.grades).mean, 1e-12)
          << measure;
    });
  }
}

TEST_P(EveryEvaluationMeasure, BestAndWorstPutRelevantItemsFirstAndLast) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const Case query = random_case(seed, 1 + static_cast<Index>(seed % 7), 3,
                                   1 + static_cast<int>(seed % 3), seed % 5 == 0);
    // Moving each item a little nearer the higher its grade makes "relevant first" the only order.
    Case best = query;
    Case worst = query;
    for (std::size_t i = 0; i < query.grades.size(); ++i) {
      best.distances[i] -= 0.1 * query.grades[i];
      worst.distances[i] += 0.1 * query.grades[i];
    }
    for_each_cutoff([&](const std::string& measure, std::size_t cutoff) {
      ASSERT_NEAR(ours(measure, query, Ties::best),
                  over_all_orders(name(), cutoff, best.distances, best.grades).mean, 1e-12)
          << measure;
      ASSERT_NEAR(ours(measure, query, Ties::worst),
                  over_all_orders(name(), cutoff, worst.distances, worst.grades).mean, 1e-12)
          << measure;
    });
  }
}

/// Not map-retrieved, where finding fewer relevant items can raise the value (its known flaw), nor
/// pr-auc, whose average is not a mean of areas.
class MonotoneMeasure : public EveryEvaluationMeasure {};

TEST_P(MonotoneMeasure, BestAndWorstAreTheExtremesOverAllOrders) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const Case query = random_case(seed, 1 + static_cast<Index>(seed % 7), 3,
                                   1 + static_cast<int>(seed % 3), false);
    for_each_cutoff([&](const std::string& measure, std::size_t cutoff) {
      const auto values = over_all_orders(name(), cutoff, query.distances, query.grades);
      ASSERT_NEAR(ours(measure, query, Ties::best), values.greatest, 1e-12) << measure;
      ASSERT_NEAR(ours(measure, query, Ties::worst), values.least, 1e-12) << measure;
    });
  }
}

TEST_P(EveryEvaluationMeasure, ByIdIsTheDatabaseOrder) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const Case query = random_case(seed, 7, 3, 2, seed % 5 == 0);
    Case ordered = query;
    for (std::size_t i = 0; i < query.grades.size(); ++i) {
      ordered.distances[i] += 0.01 * static_cast<double>(i);
    }
    for_each_cutoff([&](const std::string& measure, std::size_t cutoff) {
      ASSERT_NEAR(ours(measure, query, Ties::id),
                  over_all_orders(name(), cutoff, ordered.distances, ordered.grades).mean, 1e-12)
          << measure;
    });
  }
}

/// Large groups, where all orders cannot be tried: the mean over random ones, within five standard
/// errors.  (pr-auc is the area under a mean curve and is compared with exactly that.)
TEST_P(EveryEvaluationMeasure, AverageIsTheLimitOfRandomOrders) {
  const Case query = random_case(11, 400, 6, 2, false);
  constexpr int kOrders = 2'000;
  for_each_cutoff([&](const std::string& measure, std::size_t) {
    Rng rng(Seed{5});
    double sum = 0.0;
    double squares = 0.0;
    std::vector<double> found(query.grades.size());
    double relevant = 0.0;
    const std::size_t at = measure.find('@');
    const std::size_t cutoff =
        at == std::string::npos ? 0 : std::stoul(measure.substr(at + 1)) * 20;
    const std::string scaled =
        at == std::string::npos ? measure : name() + "@" + std::to_string(cutoff);
    for (int order = 0; order < kOrders; ++order) {
      std::vector<std::pair<double, int>> items;
      for (std::size_t i = 0; i < query.grades.size(); ++i) {
        items.emplace_back(query.distances[i] + 0.5 * rng.uniform(), query.grades[i]);
      }
      std::ranges::sort(items);
      brute_force::Ranking ranking;
      for (const auto& [distance, grade] : items) {
        ranking.grades.push_back(grade);
      }
      if (measure == "pr-auc") {
        relevant = ranking.relevant();
        double hits = 0.0;
        for (std::size_t i = 0; i < found.size(); ++i) {
          hits += ranking.grades[i] > 0 ? 1.0 : 0.0;
          found[i] += hits / kOrders;
        }
        continue;
      }
      const double value = brute_force::textbook(name(), cutoff, ranking);
      sum += value;
      squares += value * value;
    }
    if (measure == "pr-auc") {
      EXPECT_NEAR(ours(measure, query, Ties::average), brute_force::area(found, relevant), 2e-3);
      return;
    }
    const double mean = sum / kOrders;
    const double deviation = std::sqrt(std::max(0.0, squares / kOrders - mean * mean));
    EXPECT_NEAR(ours(scaled, query, Ties::average), mean,
                5.0 * deviation / std::sqrt(kOrders) + 1e-9)
        << scaled;
  });
}

TEST_P(EveryEvaluationMeasure, PerfectRankingScoresOne) {
  const Case query{.distances = {0, 0, 1, 2, 3, 3, 3}, .grades = {1, 1, 1, 0, 0, 0, 0}};
  for (const Ties ties : {Ties::average, Ties::best, Ties::worst, Ties::id}) {
    for_each_cutoff([&](const std::string& measure, std::size_t cutoff) {
      const double best = name() == "precision" ? std::min(1.0, 3.0 / static_cast<double>(cutoff))
                          : name() == "recall"  ? std::min(1.0, static_cast<double>(cutoff) / 3.0)
                          : measure == "map@1"  ? 1.0 / 3.0
                          : measure == "map@2"  ? 2.0 / 3.0
                                                : 1.0;
      EXPECT_NEAR(ours(measure, query, ties), best, 1e-15) << measure;
    });
  }
}

std::string entry_name(const testing::TestParamInfo<MeasureEntry>& info) {
  std::string name(info.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
}

/// Every measure of ranks; those of radii do not depend on orders and are tested by hand below.
std::vector<MeasureEntry> rank_measures() {
  std::vector<MeasureEntry> chosen;
  std::ranges::copy_if(measures(), std::back_inserter(chosen),
                       [](const auto& measure) { return measure.cutoff != CutOff::radius; });
  return chosen;
}

std::vector<MeasureEntry> monotone_measures() {
  std::vector<MeasureEntry> chosen = rank_measures();
  std::erase_if(chosen, [](const auto& measure) {
    return measure.name == "map-retrieved" || measure.name == "pr-auc";
  });
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryEvaluationMeasure, testing::ValuesIn(rank_measures()),
                         entry_name);
INSTANTIATE_TEST_SUITE_P(Table, MonotoneMeasure, testing::ValuesIn(monotone_measures()),
                         entry_name);

/// Two items nearest, tied, one relevant; then an irrelevant one; then the other relevant one.
const Case kHandWorked{.distances = {1, 1, 2, 5}, .grades = {1, 0, 0, 1}};

TEST(HandWorked, AveragePrecision) {
  // R I I R: (1/1 + 2/4)/2 = 3/4.  I R I R: (1/2 + 2/4)/2 = 1/2.  Mean 5/8.
  EXPECT_DOUBLE_EQ(ours("map", kHandWorked, Ties::average), 5.0 / 8.0);
  EXPECT_DOUBLE_EQ(ours("map", kHandWorked, Ties::best), 3.0 / 4.0);
  EXPECT_DOUBLE_EQ(ours("map", kHandWorked, Ties::worst), 1.0 / 2.0);
  EXPECT_DOUBLE_EQ(ours("map", kHandWorked, Ties::id), 3.0 / 4.0);
  // Up to rank 2 only the first relevant item counts: (1/1 + 1/2)/2 orders, over both relevant.
  EXPECT_DOUBLE_EQ(ours("map@2", kHandWorked, Ties::average), 3.0 / 8.0);
}

TEST(HandWorked, AveragePrecisionRetrieved) {
  // K = 1 cuts the group: R found with probability 1/2, then 1/1 over one hit; else 0.
  EXPECT_DOUBLE_EQ(ours("map-retrieved@1", kHandWorked, Ties::average), 0.5);
  // K = 3: one hit at rank 1 or 2, over that one hit.
  EXPECT_DOUBLE_EQ(ours("map-retrieved@3", kHandWorked, Ties::average), 0.75);
}

TEST(HandWorked, PrecisionRecallAndRank) {
  EXPECT_DOUBLE_EQ(ours("precision@1", kHandWorked, Ties::average), 0.5);
  EXPECT_DOUBLE_EQ(ours("precision@3", kHandWorked, Ties::average), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(ours("precision@10", kHandWorked, Ties::average), 0.2);  // over K, not over 4
  EXPECT_DOUBLE_EQ(ours("recall@3", kHandWorked, Ties::average), 0.5);
  EXPECT_DOUBLE_EQ(ours("mrr", kHandWorked, Ties::average), 0.75);  // (1/1 + 1/2)/2
  // Pairs: first relevant ties with one other (1/2) and precedes one (1); the last one none.
  EXPECT_DOUBLE_EQ(ours("auc", kHandWorked, Ties::average), 1.5 / 4.0);
}

TEST(HandWorked, DiscountedGain) {
  // The paper's S: 1, 1, 1/log2 3, 1/2.  DCG = 1/2 + 1/2 + 0 + 1/2, ideal 1 + 1.
  EXPECT_DOUBLE_EQ(ours("ndcg-paper@4", kHandWorked, Ties::average), 0.75);
  // 1/log2(1 + r): 1, 1/log2 3, 1/2, 1/log2 5.
  const double second = 1.0 / std::log2(3.0);
  EXPECT_DOUBLE_EQ(ours("ndcg@4", kHandWorked, Ties::average),
                   (0.5 + 0.5 * second + 1.0 / std::log2(5.0)) / (1.0 + second));
  // K = 1: ideal is one relevant item at rank 1.
  EXPECT_DOUBLE_EQ(ours("ndcg@1", kHandWorked, Ties::average), 0.5);
}

TEST(HandWorked, SecondPlaceIsDiscountedExceptInThePaper) {
  const Case second{.distances = {2, 1}, .grades = {1, 0}};
  EXPECT_NEAR(ours("ndcg@2", second, Ties::average), 0.6309, 5e-5);
  EXPECT_DOUBLE_EQ(ours("ndcg-paper@2", second, Ties::average), 1.0);
}

// Values of sklearn.metrics.ndcg_score(2^grade - 1, -distances, k), which takes means over ties.
TEST(HandWorked, EqualsScikitLearn) {
  const Case untied{.distances = {4, 1, 3, 6, 2, 5}, .grades = {1, 0, 1, 1, 0, 0}};
  const Case tied{.distances = {1, 1, 2, 2, 2, 3}, .grades = {0, 2, 1, 0, 3, 1}};
  EXPECT_NEAR(ours("ndcg@3", untied, Ties::average), 0.23463936301137828, 1e-12);
  EXPECT_NEAR(ours("ndcg@6", untied, Ties::average), 0.6039071644781282, 1e-12);
  EXPECT_NEAR(ours("ndcg@3", tied, Ties::average), 0.4024074062322836, 1e-12);
  EXPECT_NEAR(ours("ndcg@6", tied, Ties::average), 0.6429516399605872, 1e-12);
}

TEST(HandWorked, DiscountedGainByTheRankAmongIrrelevantItems) {
  // 0 or 1 irrelevant items before the first relevant one, 2 before the last: D(1), D(2), D(3) are
  // 1, 1/log2 3, 1/2.
  const double second = 1.0 / std::log2(3.0);
  EXPECT_DOUBLE_EQ(ours("ndcg-simple", kHandWorked, Ties::average),
                   (0.5 * (1.0 + second) + 0.5) / 2.0);
  EXPECT_DOUBLE_EQ(ours("ndcg-simple", kHandWorked, Ties::worst), (second + 0.5) / 2.0);
}

TEST(HandWorked, PrecisionRecallArea) {
  // Expected hits 1/2, 1, 1, 2 at ranks 1..4: precision 1/2, 1/2, 1/3, 1/2; recall 1/4, 1/2,
  // 1/2, 1. Trapezoids: 1/4 * 1/2 + 1/4 * 1/2 + 0 + 1/2 * (1/3 + 1/2)/2 = 1/4 + 5/24 = 11/24.
  EXPECT_DOUBLE_EQ(ours("pr-auc", kHandWorked, Ties::average), 11.0 / 24.0);
}

TEST(HandWorked, Radius) {
  EXPECT_DOUBLE_EQ(ours("precision-radius@1", kHandWorked, Ties::average), 0.5);
  EXPECT_DOUBLE_EQ(ours("precision-radius@2", kHandWorked, Ties::average), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(ours("precision-radius@0", kHandWorked, Ties::average), 0.0);  // nothing inside
  EXPECT_DOUBLE_EQ(ours("precision-radius@9", kHandWorked, Ties::average), 0.5);
}

TEST(HandWorked, EverythingRelevantGivesOne) {
  const Case all{.distances = {3, 1, 1}, .grades = {1, 1, 1}};
  for (const char* measure : {"auc", "map", "ndcg@2", "mrr", "pr-auc", "map-retrieved@2"}) {
    EXPECT_DOUBLE_EQ(ours(measure, all, Ties::average), 1.0) << measure;
  }
}

}  // namespace
}  // namespace structhash
