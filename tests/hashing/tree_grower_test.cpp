#include "hashing/families/tree_grower.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "support/expect_error.hpp"
#include "support/random_forms.hpp"

namespace structhash {
namespace {

using test::expect_error;

std::vector<Index> all(Index count) {
  std::vector<Index> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

/// Small whole numbers, so that there are ties and sums are exact.
Matrix<float> few_values(Index rows, Index columns, Index values, Seed seed) {
  Rng rng(seed);
  return Matrix<float>::NullaryExpr(rows, columns,
                                    [&] { return static_cast<float>(rng.below(values)); });
}

TEST(BinnedFeatures, BinsAndThresholdsSayTheSame) {
  for (const Index max_bins : {2, 7, 64, 256}) {
    Matrix<float> x = test::random_matrix(900, 3, Seed{1});
    x.col(1) = x.col(1).cwiseMax(0.0F);  // half the values are zero
    const BinnedFeatures data(x, max_bins, 1);
    ASSERT_EQ(data.features(), 3);
    for (Index feature = 0; feature < 3; ++feature) {
      const auto thresholds = data.thresholds(feature);
      EXPECT_LT(std::ssize(thresholds), max_bins);
      EXPECT_GE(2 * (std::ssize(thresholds) + 1), max_bins);
      EXPECT_TRUE(std::ranges::is_sorted(thresholds));
      for (Index row = 0; row < x.rows(); ++row) {
        for (std::size_t cut = 0; cut < thresholds.size(); ++cut) {
          ASSERT_EQ(std::size_t{data.bins(feature)[row]} > cut, x(row, feature) > thresholds[cut]);
        }
      }
    }
  }
}

TEST(BinnedFeatures, BinsAreAboutEquallyFull) {
  const Matrix<float> x = test::random_matrix(1'000, 1, Seed{2});
  const BinnedFeatures data(x, 20, 1);
  std::vector<int> rows(20, 0);
  for (Index row = 0; row < 1'000; ++row) {
    ++rows[data.bins(0)[row]];
  }
  EXPECT_EQ(std::ranges::min(rows), 50);
  EXPECT_EQ(std::ranges::max(rows), 50);
}

TEST(BinnedFeatures, AHeavyValueTakesOneBinWhereverItStands) {
  for (const float heavy : {-9.0F, 0.0F, 9.0F}) {
    Matrix<float> x = test::random_matrix(1'000, 1, Seed{3});
    x.topRows(900).setConstant(heavy);
    const BinnedFeatures data(x, 11, 1);
    EXPECT_GE(std::ssize(data.thresholds(0)), 9);
    const std::set<std::uint8_t> bins(data.bins(0), data.bins(0) + 900);
    EXPECT_EQ(bins.size(), 1U);
    for (Index row = 900; row < 1'000; ++row) {
      EXPECT_NE(data.bins(0)[row], *bins.begin()) << "a heavy value shares its bin";
    }
  }
}

TEST(BinnedFeatures, FewValuesGetACutEach) {
  Matrix<float> x = Matrix<float>::Constant(1'000, 1, 5.0F);
  x(3, 0) = 1.0F;
  x(7, 0) = 7.0F;
  const BinnedFeatures data(x, 3, 1);
  EXPECT_TRUE(std::ranges::equal(data.thresholds(0), std::vector{3.0F, 6.0F}));
}

TEST(BinnedFeatures, ConstantColumnsAreLeftOut) {
  Matrix<float> x = test::random_matrix(20, 4, Seed{4});
  x.col(0).setZero();
  x.col(2).setOnes();
  const BinnedFeatures data(x, 16, 2);
  ASSERT_EQ(data.features(), 2);
  EXPECT_EQ(data.column(0), 1);
  EXPECT_EQ(data.column(1), 3);
  expect_error(Errc::usage, "constant", [] { BinnedFeatures(Matrix<float>::Ones(9, 2), 16, 1); });
  expect_error(Errc::usage, "bins", [&] { BinnedFeatures(x, 1, 1); });
  expect_error(Errc::usage, "bins", [&] { BinnedFeatures(x, 257, 1); });
}

struct Problem {
  Matrix<float> x;
  std::vector<float> pull;
  std::vector<float> curvature;
  std::vector<std::int32_t> rows;
};

/// Whole pulls, curvatures and values: every sum is exact.
Problem random_problem(Index rows, Index columns, Seed seed) {
  Rng rng(seed);
  Problem problem{.x = few_values(rows, columns, 6, seed.fork("x"))};
  problem.x(0, 0) = 7.0F;
  for (Index row = 0; row < rows; ++row) {
    problem.pull.push_back(static_cast<float>(rng.below(21) - 10));
    problem.curvature.push_back(static_cast<float>(1 + rng.below(5)));
    if (rng.below(5) > 0) {  // the others are only carried along
      problem.rows.push_back(static_cast<std::int32_t>(row));
    }
  }
  return problem;
}

struct NodeSums {
  double pull = 0.0;
  double curvature = 0.0;
  Index rows = 0;
  double score(double damping) const { return pull * pull / (curvature + damping); }
};

template <typename Keep>
NodeSums sums_where(const Problem& problem, const std::vector<std::int32_t>& rows,
                    const Keep& keep) {
  NodeSums sums;
  for (const std::int32_t row : rows) {
    if (keep(row)) {
      sums.pull += static_cast<double>(problem.pull[static_cast<std::size_t>(row)]);
      sums.curvature += static_cast<double>(problem.curvature[static_cast<std::size_t>(row)]);
      ++sums.rows;
    }
  }
  return sums;
}

double gain_of(const Problem& problem, const std::vector<std::int32_t>& rows, Index column,
               float threshold, const GrowerParams& params) {
  const auto right = [&](std::int32_t row) { return problem.x(row, column) > threshold; };
  const NodeSums high = sums_where(problem, rows, right);
  const NodeSums low = sums_where(problem, rows, [&](std::int32_t row) { return !right(row); });
  const NodeSums whole = sums_where(problem, rows, [](std::int32_t) { return true; });
  if (high.rows < params.min_leaf_rows || low.rows < params.min_leaf_rows) {
    return 0.0;
  }
  return high.score(params.damping) + low.score(params.damping) - whole.score(params.damping);
}

/// The slow twin of a split: every column and every gap between two values.
double best_gain(const Problem& problem, const std::vector<std::int32_t>& rows,
                 const GrowerParams& params) {
  double best = 0.0;
  for (Index column = 0; column < problem.x.cols(); ++column) {
    for (const float value : problem.x.col(column)) {
      best = std::max(best, gain_of(problem, rows, column, value, params));
    }
  }
  return best;
}

/// Checks node after node that no split would have gained more, and the leaves below.
void expect_greedy(const Problem& problem, const TreeTable& trees, const GrowerParams& params,
                   Index node, const std::vector<std::int32_t>& rows) {
  const Index inner = trees.leaves_per_tree() - 1;
  if (node >= inner) {
    const NodeSums sums = sums_where(problem, rows, [](std::int32_t) { return true; });
    EXPECT_NEAR(trees.leaves[static_cast<std::size_t>(node - inner)],
                params.rate * sums.pull / (sums.curvature + params.damping), 1e-5);
    return;
  }
  const auto at = static_cast<std::size_t>(node);
  const Index column = trees.columns[at];
  const float threshold = trees.thresholds[at];
  EXPECT_NEAR(gain_of(problem, rows, column, threshold, params), best_gain(problem, rows, params),
              1e-9);
  std::vector<std::int32_t> low;
  std::vector<std::int32_t> high;
  for (const std::int32_t row : rows) {
    (problem.x(row, column) > threshold ? high : low).push_back(row);
  }
  expect_greedy(problem, trees, params, 2 * node + 1, low);
  expect_greedy(problem, trees, params, 2 * node + 2, high);
}

TEST(GrowTree, EverySplitIsTheBest) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(Seed{seed});
    const Problem problem = random_problem(20 + rng.below(60), 1 + rng.below(5), Seed{seed});
    const GrowerParams params{.depth = 1 + rng.below(4),
                              .damping = 0.5 + rng.uniform(),
                              .min_leaf_rows = 1 + rng.below(6),
                              .rate = 0.5};
    const BinnedFeatures data(problem.x, 16, 1);
    TreeTable trees{.depth = params.depth};
    std::vector<float> sums(static_cast<std::size_t>(problem.x.rows()), 1.0F);
    const auto features = all(data.features());
    grow_tree(data, {problem.pull, problem.curvature, problem.rows, features}, params, 1, trees,
              sums);
    ASSERT_EQ(trees.trees(), 1);
    expect_greedy(problem, trees, params, 0, problem.rows);
    // All rows, chosen or not, moved by the leaf that the encoder sends them to.
    const TreeEncoder encoder{.inputs = problem.x.cols(), .trees = trees, .first_tree = {0, 1}};
    const Matrix<float> values = encoder.values(problem.x);
    for (Index row = 0; row < problem.x.rows(); ++row) {
      EXPECT_EQ(sums[static_cast<std::size_t>(row)], 1.0F + values(row, 0));
    }
  }
}

TEST(GrowTree, SplitsOnlyByTheFeaturesItMayUse) {
  const Problem problem = random_problem(80, 6, Seed{5});
  const BinnedFeatures data(problem.x, 16, 1);
  TreeTable trees{.depth = 3};
  std::vector<float> sums(80, 0.0F);
  const std::vector<Index> features{1, 4};
  grow_tree(data, {problem.pull, problem.curvature, problem.rows, features}, {.depth = 3}, 1, trees,
            sums);
  for (const std::int32_t column : trees.columns) {
    EXPECT_TRUE(column == 1 || column == 4) << column;
  }
}

TEST(GrowTree, NothingToGainLeavesOneLeaf) {
  Problem problem = random_problem(30, 3, Seed{6});
  std::ranges::fill(problem.pull, 2.0F);
  std::ranges::fill(problem.curvature, 1.0F);
  const GrowerParams params{.depth = 2, .damping = 1.0, .min_leaf_rows = 31, .rate = 1.0};
  const BinnedFeatures data(problem.x, 16, 1);
  TreeTable trees{.depth = 2};
  std::vector<float> sums(30, 0.0F);
  const auto features = all(3);
  grow_tree(data, {problem.pull, problem.curvature, problem.rows, features}, params, 1, trees,
            sums);
  const auto n = static_cast<float>(problem.rows.size());
  for (const float sum : sums) {
    EXPECT_FLOAT_EQ(sum, 2.0F * n / (n + 1.0F));
  }
}

TEST(GrowTree, RowsWithoutAnyPullGetZeroLeaves) {
  Problem problem = random_problem(30, 3, Seed{9});
  std::ranges::fill(problem.pull, 0.0F);
  std::ranges::fill(problem.curvature, 0.0F);
  const GrowerParams params{.depth = 2, .damping = 0.0, .min_leaf_rows = 1, .rate = 1.0};
  const BinnedFeatures data(problem.x, 16, 1);
  TreeTable trees{.depth = 2};
  std::vector<float> sums(30, 1.0F);
  const auto features = all(3);
  grow_tree(data, {problem.pull, problem.curvature, problem.rows, features}, params, 1, trees,
            sums);
  EXPECT_EQ(trees.leaves, std::vector<float>(4, 0.0F));
  EXPECT_EQ(sums, std::vector<float>(30, 1.0F));
}

TEST(GrowTree, ThreadsChangeNothing) {
  const Matrix<float> x = test::random_matrix(500, 70, Seed{7});
  const Matrix<float> targets = test::random_matrix(2, 500, Seed{8});
  const std::vector<float> pull(targets.row(0).begin(), targets.row(0).end());
  std::vector<float> curvature(500);
  std::ranges::transform(targets.row(1), curvature.begin(), [](float v) { return v * v + 0.1F; });
  std::vector<std::int32_t> rows(500);
  std::iota(rows.begin(), rows.end(), 0);
  const auto features = all(70);
  const auto grow = [&](int threads) {
    const BinnedFeatures data(x, 64, threads);
    TreeTable trees{.depth = 5};
    std::vector<float> sums(500, 0.0F);
    grow_tree(data, {pull, curvature, rows, features}, {.depth = 5}, threads, trees, sums);
    grow_tree(data, {pull, curvature, rows, features}, {.depth = 5}, threads, trees, sums);
    return std::pair{trees, sums};
  };
  EXPECT_EQ(grow(1), grow(2));
  EXPECT_EQ(grow(1), grow(4));
}

}  // namespace
}  // namespace structhash
