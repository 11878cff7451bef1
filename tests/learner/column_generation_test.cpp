#include "learner/column_generation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <coin/ClpSimplex.hpp>
#include <numeric>
#include <set>

#include "learner/tiny_lists.hpp"
#include "ranking/training_gains.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kRows = 6;

std::vector<std::int8_t> signs_of(unsigned pattern) {
  std::vector<std::int8_t> signs;
  for (Index row = 0; row < kRows; ++row) {
    signs.push_back(((pattern >> row) & 1U) != 0 ? std::int8_t{1} : std::int8_t{-1});
  }
  return signs;
}

/// All ways to split the six rows: the column oracle by enumeration.
class EverySplit final : public HashFamily {
 public:
  LearnedBit best(const PairForm& form, Seed, Threads threads) const override {
    LearnedBit best;
    best.edge = -1e300;
    for (unsigned pattern = 1; pattern < (1U << (kRows - 1)); ++pattern) {
      const auto signs = signs_of(pattern);
      const double value = form.value(std::vector<float>(signs.begin(), signs.end()), threads);
      if (value > best.edge) {
        best.edge = value;
        best.signs = signs;
      }
    }
    return best;
  }
  Encoder assemble(std::span<const LearnedBit>) const override { return {}; }
};

/// The m-slack problem (9) with every split and every permutation of every list, solved at once.
/// It has the same optimum as (10) (Joachims, Finley, Yu 2009).
double full_optimum(const std::vector<RelevanceList>& lists, const RankingMeasure& measure,
                    double trade_off) {
  constexpr int kSplits = (1 << (kRows - 1)) - 1;
  const int queries = static_cast<int>(lists.size());
  ClpSimplex model;
  model.setLogLevel(0);
  model.resize(0, kSplits + queries);
  for (int column = 0; column < kSplits + queries; ++column) {
    model.setColumnBounds(column, 0.0, COIN_DBL_MAX);
    model.setObjectiveCoefficient(column, column < kSplits ? 1.0 : trade_off / queries);
  }
  for (int q = 0; q < queries; ++q) {
    const RelevanceList& list = lists[static_cast<std::size_t>(q)];
    const Index P = std::ssize(list.relevant);
    const Index N = std::ssize(list.irrelevant);
    const GainTable gains(measure, P, N);
    std::vector<Index> order = list.relevant;
    order.insert(order.end(), list.irrelevant.begin(), list.irrelevant.end());
    std::ranges::sort(order);
    do {
      std::vector<Index> columns(static_cast<std::size_t>(kSplits));
      std::vector<double> row(static_cast<std::size_t>(kSplits), 0.0);
      double score = 0.0;
      Index j = 0;
      std::vector<Index> irrelevant_so_far;
      for (const Index item : order) {
        if (std::ranges::find(list.relevant, item) == list.relevant.end()) {
          irrelevant_so_far.push_back(item);
          continue;
        }
        score += gains(++j, std::ssize(irrelevant_so_far));
        for (const Index k : irrelevant_so_far) {  // Eq. (13): the mis-ordered pairs (item, k)
          for (unsigned pattern = 1; pattern <= kSplits; ++pattern) {
            const auto bit = [&](Index x) { return (pattern >> x) & 1U; };
            const double to_k = bit(list.query) != bit(k) ? 1.0 : 0.0;
            const double to_item = bit(list.query) != bit(item) ? 1.0 : 0.0;
            row[pattern - 1] += 2.0 / to_double(P * N) * (to_k - to_item);
          }
        }
      }
      std::vector<int> indices(static_cast<std::size_t>(kSplits) + 1);
      std::iota(indices.begin(), indices.end(), 0);
      indices.back() = kSplits + q;
      row.push_back(1.0);
      model.addRow(static_cast<int>(row.size()), indices.data(), row.data(), 1.0 - score,
                   COIN_DBL_MAX);
    } while (std::ranges::next_permutation(order).found);
  }
  EXPECT_EQ(model.primal(), 0);
  return model.objectiveValue();
}

class EveryTrainedMeasure : public testing::TestWithParam<const char*> {};

TEST_P(EveryTrainedMeasure, ReachesTheOptimumOfTheFullProblem) {
  const auto measure = make_measure(GetParam());
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    const auto lists = random_lists(kRows, 2, 3, seed);
    const ListTable table(lists, *measure, kRows);
    const LearnerParams params{
        .bits = 40, .trade_off = 20.0, .weights = {.gap = 1e-6, .max_planes_per_bit = 100}};
    const LearnedCode code = learn(table, EverySplit{}, params, {.seed = Seed{1}});
    const double optimum = full_optimum(lists, *measure, code.trade_off);
    EXPECT_NEAR(code.log.back().objective, optimum, 1e-5 * optimum);
    EXPECT_NEAR(code.log.back().bound, optimum, 1e-5 * optimum);
  }
}

INSTANTIATE_TEST_SUITE_P(Measures, EveryTrainedMeasure,
                         testing::Values("auc", "ndcg@2", "map", "precision@2", "mrr", "recall@3"));

/// With a gap below what rounding allows, the cutting planes end without reaching it.
TEST(CuttingPlanes, OnlyAReachedGapIsLoggedAsConverged) {
  const auto measure = make_measure("map");
  Index stalled = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const ListTable table(random_lists(kRows, 2, 3, seed), *measure, kRows);
    const WeightParams weights{.gap = 1e-14, .max_planes_per_bit = 500};
    const LearnerParams params{.bits = 8, .trade_off = 20.0, .weights = weights};
    for (const BitLog& log : learn(table, EverySplit{}, params, {.seed = Seed{1}}).log) {
      EXPECT_EQ(log.stop == Stop::converged,
                log.objective - log.bound <= weights.gap * log.objective);
      stalled += log.stop == Stop::stalled ? 1 : 0;
    }
  }
  EXPECT_GT(stalled, 0) << "nothing was tested";
}

/// The first bit is found on random rankings; C is scaled by its edge on the worst ones.
TEST(RandomDuals, DifferBySeedAndLeaveTheOptimumAsItIs) {
  const auto measure = make_measure("map");
  const auto lists = random_lists(kRows, 2, 3, 4);
  const ListTable table(lists, *measure, kRows);
  std::set<std::vector<std::int8_t>> first_bits;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const LearnerParams params{.bits = 40,
                               .trade_off = 20.0,
                               .random_duals = true,
                               .weights = {.gap = 1e-6, .max_planes_per_bit = 100}};
    const auto train = [&] { return learn(table, EverySplit{}, params, {.seed = Seed{seed}}); };
    const LearnedCode code = train();
    EXPECT_EQ(code.weights, train().weights);
    EXPECT_DOUBLE_EQ(code.trade_off, params.trade_off / code.log.front().edge);
    const double optimum = full_optimum(lists, *measure, code.trade_off);
    EXPECT_NEAR(code.log.back().objective, optimum, 1e-5 * optimum) << seed;
    first_bits.insert(code.bits.front().signs);
  }
  EXPECT_GT(first_bits.size(), 1U);
}

class EveryMode : public testing::TestWithParam<TrainingMode> {};

TEST_P(EveryMode, ObjectiveNeverRisesWithABit) {
  const auto measure = make_measure("map");
  const auto lists = random_lists(kRows, 2, 3, 9);
  const ListTable table(lists, *measure, kRows);
  const LearnerParams params{.bits = 20, .trade_off = 10.0, .mode = GetParam()};
  const LearnedCode code = learn(table, EverySplit{}, params, {.seed = Seed{1}});
  EXPECT_EQ(code.bits.size(), 20U);
  EXPECT_EQ(code.weights.size(), 20U);
  double previous = code.trade_off;  // at w = 0: slack 1
  for (const BitLog& log : code.log) {
    EXPECT_LE(log.objective, previous + 1e-9);
    EXPECT_LE(log.bound, log.objective + 1e-9);
    previous = log.objective;
  }
  EXPECT_LT(previous, 0.95 * code.trade_off);
  EXPECT_GE(*std::ranges::min_element(code.weights), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Modes, EveryMode,
                         testing::Values(TrainingMode::totally_corrective,
                                         TrainingMode::stage_wise));

TEST(Learn, StopsOnRequest) {
  const auto measure = make_measure("auc");
  const ListTable table(random_lists(kRows, 2, 3, 1), *measure, kRows);
  try {
    learn(table, EverySplit{}, {.bits = 5},
          {.seed = Seed{1},
           .on_progress = [](const Progress& progress) { return progress.done < 2.0; }});
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::interrupted);
  }
}

TEST(Learn, RefusesNonsense) {
  const auto measure = make_measure("auc");
  const ListTable table(random_lists(kRows, 2, 3, 1), *measure, kRows);
  const auto refuses = [&](const LearnerParams& params) {
    EXPECT_THROW(learn(table, EverySplit{}, params, {.seed = Seed{1}}), Error);
  };
  refuses({.bits = 0});
  refuses({.bits = 4, .trade_off = 1.0});
  refuses({.bits = 4, .trade_off = -3.0});
  refuses({.bits = 4, .weights = {.gap = 0.0}});
  refuses({.bits = 4, .weights = {.max_planes_per_bit = 0}});
}

}  // namespace
}  // namespace structhash
