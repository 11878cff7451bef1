#include "structhash/evaluation/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "random_codes.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

const std::vector<std::string> kAll{
    "map", "map@20", "map-retrieved@30", "ndcg@10", "ndcg-paper@10",      "precision@10",
    "mrr", "auc",    "recall@10",        "pr-auc",  "precision-radius@2", "precision-radius@400"};

constexpr auto kEveryTies = {Ties::average, Ties::best, Ties::worst, Ties::id};

Judgments graded_judgments(Index queries, Index items, std::uint64_t seed) {
  Rng rng(Seed{seed});
  Judgments judgments{.items = items, .queries = {}};
  for (Index query = 0; query < queries; ++query) {
    judgments.queries.emplace_back();
    for (Index item = 0; item < items; ++item) {
      if (rng.below(6) == 0) {
        judgments.queries.back().push_back({item, static_cast<int>(rng.below(4))});
      }
    }
  }
  return judgments;
}

void expect_same(const Evaluation& a, const Evaluation& b, double tolerance) {
  ASSERT_EQ(a.measures, b.measures);
  for (std::size_t i = 0; i < a.means.size(); ++i) {
    EXPECT_NEAR(a.means[i], b.means[i], tolerance) << a.measures[i];
  }
  EXPECT_EQ(a.queries_without_relevant, b.queries_without_relevant);
}

/// Codes are counted or sorted by fast paths; plain distances go another way to the same numbers.
TEST(Evaluate, CodesEqualTheirDistances) {
  for (const Index bits : {5, 64, 130}) {
    const CodeMatrix database = random_codes(300, bits, 1);
    const CodeMatrix queries = random_codes(20, bits, 2);
    std::vector<float> weights = random_weights(bits, 3);
    weights.front() = 0.0F;  // makes ties among weighted distances too
    const WeightTable table(weights);
    Matrix<float> plain(20, 300);
    Matrix<float> weighted(20, 300);
    for (Index q = 0; q < 20; ++q) {
      for (Index i = 0; i < 300; ++i) {
        plain(q, i) = static_cast<float>(hamming(database.row(i), queries.row(q)));
        weighted(q, i) = table.distance(database.row(i), queries.row(q));
      }
    }
    const std::vector<std::string> ranks(kAll.begin(), kAll.end() - 2);
    for (const auto& truth :
         {GroundTruth::from_labels(random_classes(20, 4, 4), random_classes(300, 4, 5)),
          GroundTruth::from_judgments(graded_judgments(20, 300, 6))}) {
      for (const Ties ties : kEveryTies) {
        const EvaluationOptions options{.ties = ties, .threads = 2, .on_progress = {}};
        expect_same(evaluate(database, queries, {}, truth, kAll, options),
                    evaluate_distances(plain, truth, kAll, options), 1e-13);
        expect_same(evaluate(database, queries, weights, truth, ranks, options),
                    evaluate_distances(weighted, truth, ranks, options), 1e-13);
      }
    }
  }
}

TEST(Evaluate, WeightsOfQueriesEqualTheirDistances) {
  const CodeMatrix database = random_codes(300, 70, 1);
  const CodeMatrix queries = random_codes(20, 70, 2);
  Matrix<float> values(20, 70);
  Matrix<float> distances(20, 300);
  for (Index q = 0; q < 20; ++q) {
    const std::vector<float> weights = random_weights(70, static_cast<std::uint64_t>(7 + q));
    const WeightTable table(weights);
    for (Index bit = 0; bit < 70; ++bit) {  // signs do not count
      values(q, bit) = weights[static_cast<std::size_t>(bit)] * (bit % 2 == 0 ? 1.0F : -1.0F);
    }
    for (Index i = 0; i < 300; ++i) {
      distances(q, i) = table.distance(database.row(i), queries.row(q));
    }
  }
  const auto truth = GroundTruth::from_labels(random_classes(20, 4, 4), random_classes(300, 4, 5));
  const std::vector<std::string> ranks(kAll.begin(), kAll.end() - 2);
  const BitWeights weights = BitWeights::of_queries(values);
  expect_same(evaluate(database, queries, weights, truth, ranks, {.threads = 2}),
              evaluate_distances(distances, truth, ranks, {}), 1e-13);
  const Matrix<float> few = values.topRows(19);
  const Matrix<float> narrow = values.leftCols(69);
  EXPECT_THROW(evaluate(database, queries, BitWeights::of_queries(few), truth, ranks, {}), Error);
  EXPECT_THROW(evaluate(database, queries, BitWeights::of_queries(narrow), truth, ranks, {}),
               Error);
}

TEST(Evaluate, RadiiCountBitsWhateverTheWeights) {
  const CodeMatrix database = random_codes(500, 6, 1);
  const CodeMatrix queries = random_codes(9, 6, 2);
  const auto truth = GroundTruth::from_labels(random_classes(9, 2, 3), random_classes(500, 2, 4));
  const std::vector<std::string> radius{"precision-radius@2"};
  EXPECT_EQ(evaluate(database, queries, {}, truth, radius, {}).per_query,
            evaluate(database, queries, random_weights(6, 5), truth, radius, {}).per_query);
}

TEST(Evaluate, EqualWeightsRankLikeNone) {
  const CodeMatrix database = random_codes(400, 48, 1);
  const CodeMatrix queries = random_codes(11, 48, 2);
  const auto truth = GroundTruth::from_labels(random_classes(11, 3, 3), random_classes(400, 3, 4));
  const std::vector<float> half(48, 0.5F);  // sums of halves are exact
  for (const Ties ties : kEveryTies) {
    const EvaluationOptions options{.ties = ties, .threads = 1, .on_progress = {}};
    EXPECT_EQ(evaluate(database, queries, {}, truth, kAll, options).per_query,
              evaluate(database, queries, half, truth, kAll, options).per_query);
  }
}

/// Trap 5 of docs/evaluation.md: shuffling the database must not move the default numbers.
TEST(Evaluate, DatabaseOrderDoesNotMatterOnAverage) {
  const Index rows = 300;
  const CodeMatrix database = random_codes(rows, 8, 1);
  const Labels labels = random_classes(rows, 3, 2);
  const CodeMatrix queries = random_codes(10, 8, 3);
  const Labels query_labels = random_classes(10, 3, 4);
  CodeMatrix reversed(rows, 8);
  Labels reversed_labels{.classes = {labels.classes.rbegin(), labels.classes.rend()}, .multi = {}};
  for (Index row = 0; row < rows; ++row) {
    for (Index bit = 0; bit < 8; ++bit) {
      reversed.set(row, bit, database.bit(rows - 1 - row, bit));
    }
  }
  const auto forward = GroundTruth::from_labels(query_labels, labels);
  const auto backward = GroundTruth::from_labels(query_labels, reversed_labels);
  for (const Ties ties : {Ties::average, Ties::best, Ties::worst}) {
    const EvaluationOptions options{.ties = ties, .threads = 1, .on_progress = {}};
    EXPECT_EQ(evaluate(database, queries, {}, forward, kAll, options).per_query,
              evaluate(reversed, queries, {}, backward, kAll, options).per_query);
  }
  const EvaluationOptions by_id{.ties = Ties::id, .threads = 1, .on_progress = {}};
  EXPECT_NE(evaluate(database, queries, {}, forward, kAll, by_id).per_query,
            evaluate(reversed, queries, {}, backward, kAll, by_id).per_query);
}

TEST(Evaluate, SameBytesForAnyNumberOfThreads) {
  const CodeMatrix database = random_codes(700, 32, 1);
  const CodeMatrix queries = random_codes(600, 32, 2);  // more than one batch
  const std::vector<float> weights = random_weights(32, 3);
  const auto truth = GroundTruth::from_judgments(graded_judgments(600, 700, 4));
  for (const std::span<const float> bit_weights : {std::span<const float>{}, std::span(weights)}) {
    const auto run = [&](int threads) {
      return evaluate(database, queries, bit_weights, truth, kAll,
                      {.ties = Ties::average, .threads = threads, .on_progress = {}});
    };
    const Evaluation one = run(1);
    for (const int threads : {2, 4}) {
      const Evaluation many = run(threads);
      EXPECT_EQ(one.means, many.means);
      EXPECT_EQ(std::memcmp(one.per_query.data(), many.per_query.data(),
                            static_cast<std::size_t>(one.per_query.size()) * sizeof(double)),
                0);
    }
  }
}

TEST(Evaluate, QueriesWithoutRelevantItemsAreCountedAndLeftOut) {
  const CodeMatrix database = random_codes(50, 16, 1);
  const CodeMatrix queries = random_codes(4, 16, 2);
  Labels labels = random_classes(50, 2, 3);
  const Labels query_labels{.classes = {0, 7, 1, 8}, .multi = {}};
  const std::vector<std::string> measures{"map"};
  const auto result =
      evaluate(database, queries, {}, GroundTruth::from_labels(query_labels, labels), measures, {});
  EXPECT_EQ(result.queries_without_relevant, 2);
  EXPECT_TRUE(std::isnan(result.per_query(1, 0)));
  EXPECT_TRUE(std::isnan(result.per_query(3, 0)));
  EXPECT_DOUBLE_EQ(result.means[0], (result.per_query(0, 0) + result.per_query(2, 0)) / 2.0);

  const Labels strangers{.classes = {7, 7, 8, 8}, .multi = {}};
  try {
    evaluate(database, queries, {}, GroundTruth::from_labels(strangers, labels), measures, {});
    FAIL() << "no measure is defined here";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::bad_data);
  }
}

TEST(Evaluate, TellsProgressAndStopsOnRequest) {
  const CodeMatrix database = random_codes(20, 16, 1);
  const CodeMatrix queries = random_codes(1'100, 16, 2);
  const auto truth =
      GroundTruth::from_labels(random_classes(1'100, 2, 3), random_classes(20, 2, 4));
  const std::vector<std::string> measures{"map"};
  std::vector<double> done;
  EvaluationOptions options{.ties = Ties::average, .threads = 2, .on_progress = {}};
  options.on_progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.total, 1'100.0);
    done.push_back(progress.done);
    return true;
  };
  evaluate(database, queries, {}, truth, measures, options);
  EXPECT_EQ(done, (std::vector<double>{512, 1'024, 1'100}));
  options.on_progress = [](const Progress&) { return false; };
  EXPECT_THROW(evaluate(database, queries, {}, truth, measures, options), Error);
}

TEST(Evaluate, RefusesWhatDoesNotFit) {
  const CodeMatrix database = random_codes(10, 16, 1);
  const CodeMatrix queries = random_codes(3, 16, 2);
  const auto truth = GroundTruth::from_labels(random_classes(3, 1, 3), random_classes(10, 1, 4));
  const std::vector<std::string> map{"map"};
  const std::vector<float> short_weights(15, 1.0F);
  const std::vector<float> negative(16, -1.0F);
  EXPECT_THROW(evaluate(database, random_codes(3, 17, 2), {}, truth, map, {}), Error);
  EXPECT_THROW(evaluate(database, random_codes(2, 16, 2), {}, truth, map, {}), Error);
  EXPECT_THROW(evaluate(random_codes(9, 16, 1), queries, {}, truth, map, {}), Error);
  EXPECT_THROW(evaluate(database, queries, short_weights, truth, map, {}), Error);
  EXPECT_THROW(evaluate(database, queries, negative, truth, map, {}), Error);
  EXPECT_THROW(evaluate(database, queries, {}, truth, {}, {}), Error);
  EXPECT_THROW(evaluate(CodeMatrix(10, 70'000), CodeMatrix(3, 70'000), {}, truth, map, {}), Error);
  const std::vector<std::string> unknown{"accuracy"};
  EXPECT_THROW(evaluate(database, queries, {}, truth, unknown, {}), Error);

  Matrix<float> distances = Matrix<float>::Zero(3, 10);
  const std::vector<std::string> far{"precision-radius@2000000"};
  EXPECT_THROW(evaluate_distances(distances, truth, far, {}), Error);
  distances(1, 4) = NAN;
  try {
    evaluate_distances(distances, truth, map, {});
    FAIL() << "NaN was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "distances, row 2, column 5: not a number");
  }
  EXPECT_THROW(evaluate_distances(Matrix<float>::Zero(3, 9), truth, map, {}), Error);
}

TEST(Evaluate, NegativeAndInfiniteDistances) {
  // In order -3, -0 = +0 (tied), 2; the last item was not found.
  Matrix<float> distances{{2.0F, -0.0F, 0.0F, -3.0F, INFINITY}};
  const auto truth =
      GroundTruth::from_judgments({.items = 5, .queries = {{{1, 1}, {3, 1}, {4, 1}}}});
  const std::vector<std::string> measures{"map", "recall@5", "auc"};
  const auto result = evaluate_distances(distances, truth, measures, {});
  // AP: rank 1 gives 1, the tied item 2/2 or 2/3, the lost item 0: (1 + 5/6)/3.
  EXPECT_DOUBLE_EQ(result.means[0], (1.0 + 5.0 / 6.0) / 3.0);
  EXPECT_DOUBLE_EQ(result.means[1], 2.0 / 3.0);
  // Pairs with the others (items 0, 2): item 3 wins 2, item 1 wins 1.5, item 4 none, of 6.
  EXPECT_DOUBLE_EQ(result.means[2], 3.5 / 6.0);
}

}  // namespace
}  // namespace structhash
