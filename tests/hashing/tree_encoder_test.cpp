#include "structhash/hashing/encoders.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/expect_error.hpp"
#include "support/model_files.hpp"
#include "support/random_forms.hpp"

namespace structhash {
namespace {

using test::expect_error;

TreeEncoder sample_trees() {
  // Bit 0: one tree; bit 1: none; bit 2: two trees.
  return {.inputs = 2,
          .trees = {.depth = 1,
                    .columns = {0, 1, 0},
                    .thresholds = {0.5F, -1.0F, 2.0F},
                    .leaves = {-1.0F, 2.0F, 0.25F, -0.25F, 0.5F, 0.125F}},
          .first_tree = {0, 1, 1, 3}};
}

TreeEncoder random_encoder(Index depth, Index inputs, const std::vector<std::int64_t>& first_tree,
                           Seed seed) {
  Rng rng(seed);
  TreeEncoder encoder{.inputs = inputs, .trees = {.depth = depth}, .first_tree = first_tree};
  for (std::int64_t tree = 0; tree < first_tree.back(); ++tree) {
    for (Index node = 0; node < (Index{1} << depth) - 1; ++node) {
      encoder.trees.columns.push_back(static_cast<std::int32_t>(rng.below(inputs)));
      encoder.trees.thresholds.push_back(static_cast<float>(rng.normal()));
    }
    for (Index leaf = 0; leaf < (Index{1} << depth); ++leaf) {
      encoder.trees.leaves.push_back(static_cast<float>(rng.normal()));
    }
  }
  return encoder;
}

/// The slow twin: walks one tree from the top, by branches.
float leaf_of(const TreeTable& trees, Index tree, const Eigen::RowVectorXf& x) {
  const Index inner = trees.leaves_per_tree() - 1;
  Index node = 0;
  while (node < inner) {
    const auto at = static_cast<std::size_t>(tree * inner + node);
    node = x(trees.columns[at]) > trees.thresholds[at] ? 2 * node + 2 : 2 * node + 1;
  }
  return trees.leaves[static_cast<std::size_t>(tree * trees.leaves_per_tree() + node - inner)];
}

TEST(TreeEncoder, HandWorkedExample) {
  const Matrix<float> x{{0.5F, 0}, {0.75F, -1}, {3, -2}};
  // Bit 0: [x0 > 1/2] ? 2 : -1.  Bit 2: ([x1 > -1] ? -1/4 : 1/4) + ([x0 > 2] ? 1/8 : 1/2).
  EXPECT_EQ(decision_values(sample_trees(), x, 1),
            (Matrix<float>{{-1, 0, 0.25F}, {2, 0, 0.75F}, {2, 0, 0.375F}}));
  const std::vector<std::uint64_t> expected{0b100, 0b101, 0b101};
  EXPECT_TRUE(std::ranges::equal(encode(sample_trees(), x, 1).words(), expected));
}

TEST(TreeEncoder, EqualsWalkingEveryTree) {
  for (const Index depth : {1, 2, 4, 7}) {
    SCOPED_TRACE(depth);
    const TreeEncoder encoder = random_encoder(depth, 6, {0, 3, 3, 20, 21}, Seed{1});
    EXPECT_NO_THROW(encoder.check());
    for (const Index rows : {1, 15, 16, 17, 100}) {
      const Matrix<float> x = test::random_matrix(rows, 6, Seed{2});
      const Matrix<float> values = encoder.values(x);
      for (Index row = 0; row < rows; ++row) {
        for (std::size_t bit = 0; bit < 4; ++bit) {
          float sum = 0.0F;
          for (Index tree = encoder.first_tree[bit]; tree < encoder.first_tree[bit + 1]; ++tree) {
            sum += leaf_of(encoder.trees, tree, x.row(row));
          }
          ASSERT_EQ(values(row, static_cast<Index>(bit)), sum);
        }
      }
    }
  }
}

TEST(TreeEncoder, TakesStridedViews) {
  const TreeEncoder encoder = random_encoder(3, 4, {0, 5, 9}, Seed{3});
  const Matrix<float> wide = test::random_matrix(40, 9, Seed{4});
  EXPECT_EQ(encoder.values(wide.middleCols(3, 4)),
            encoder.values(Matrix<float>(wide.middleCols(3, 4))));
}

TEST(TreeEncoder, CheckFindsEveryDefect) {
  EXPECT_NO_THROW(sample_trees().check());
  const auto refused = [](const std::string& words, const auto& change) {
    TreeEncoder encoder = sample_trees();
    change(encoder);
    expect_error(Errc::usage, words, [&] { encoder.check(); });
  };
  refused("needs trees", [](TreeEncoder& e) { e = {}; });
  refused("needs trees", [](TreeEncoder& e) { e.inputs = 0; });
  refused("levels deep", [](TreeEncoder& e) { e.trees.depth = 0; });
  refused("levels deep", [](TreeEncoder& e) { e.trees.depth = 17; });
  refused("all leaves", [](TreeEncoder& e) { e.trees.leaves.pop_back(); });
  refused("all leaves", [](TreeEncoder& e) { e.trees.columns.pop_back(); });
  refused("all leaves", [](TreeEncoder& e) { e.trees.thresholds.pop_back(); });
  refused("all leaves", [](TreeEncoder& e) { e.trees.depth = 2; });
  refused("belong to its bits", [](TreeEncoder& e) { e.first_tree = {0, 2}; });
  refused("belong to its bits", [](TreeEncoder& e) { e.first_tree = {1, 3}; });
  refused("belong to its bits", [](TreeEncoder& e) { e.first_tree = {0, 2, 1, 3}; });
  refused("does not exist", [](TreeEncoder& e) { e.trees.columns[1] = 2; });
  refused("does not exist", [](TreeEncoder& e) { e.trees.columns[1] = -1; });
  refused("not finite", [](TreeEncoder& e) { e.trees.leaves[0] = std::nanf(""); });
  refused("not finite",
          [](TreeEncoder& e) { e.trees.thresholds[0] = std::numeric_limits<float>::infinity(); });
}

TEST(TreeEncoder, SaveAndLoad) {
  test::expect_safe_in_files(sample_trees());
}

}  // namespace
}  // namespace structhash
