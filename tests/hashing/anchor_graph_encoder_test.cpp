#include "hashing/nearest_anchors.hpp"
#include "structhash/hashing/encoders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/expect_error.hpp"
#include "support/model_files.hpp"
#include "support/random_forms.hpp"

namespace structhash {
namespace {

using test::expect_error;

constexpr float kMax = std::numeric_limits<float>::max();

/// Anchors 0, 2 and 10 on a line, two of them per row; a weight halves with every squared unit.
AnchorGraphEncoder sample_graph() {
  return {.anchors = Matrix<float>{{0}, {2}, {10}},
          .neighbours = 2,
          .gamma = std::log(2.0F),
          .coefficients = Matrix<float>{{1, -1, 3}},
          .columns = {0, 0, 0},
          .low = {-kMax, -0.5F, -0.5F},
          .high = {0, 0.5F, kMax}};
}

TEST(NearestAnchors, AgreeWithASortOfAllDistances) {
  const Matrix<float> anchors = test::random_matrix(70, 20, Seed{1});
  const Matrix<float> x = test::random_matrix(40, 20, Seed{2});
  for (const Index neighbours : {1, 3, 70}) {
    const NearestAnchors near = nearest_anchors(anchors, neighbours, x);
    ASSERT_EQ(std::ssize(near.anchors), 40 * neighbours);
    for (Index row = 0; row < x.rows(); ++row) {
      std::vector<std::pair<double, std::int32_t>> all;
      for (Index j = 0; j < anchors.rows(); ++j) {
        all.emplace_back((x.row(row) - anchors.row(j)).cast<double>().squaredNorm(), j);
      }
      std::ranges::sort(all);
      for (Index i = 0; i < neighbours; ++i) {
        const auto at = static_cast<std::size_t>(row * neighbours + i);
        ASSERT_EQ(near.anchors[at], all[static_cast<std::size_t>(i)].second);
        ASSERT_NEAR(near.squared_distances[at], all[static_cast<std::size_t>(i)].first, 1e-5);
      }
    }
  }
}

/// Far from the origin float products cannot tell the anchors apart; equal ones go by number.
TEST(NearestAnchors, AreRightWhereFloatProductsAreNot) {
  const Matrix<float> anchors{{1000.5F, 1000}, {1000.25F, 1000}, {1000.25F, 1000}, {999, 1000}};
  const NearestAnchors near = nearest_anchors(anchors, 3, Matrix<float>{{1000, 1000}});
  EXPECT_EQ(near.anchors, (std::vector<std::int32_t>{1, 2, 0}));
  EXPECT_EQ(near.squared_distances, (std::vector<double>{0.0625, 0.0625, 0.25}));
}

TEST(AnchorGraphEncoder, HandWorkedExample) {
  // x = 0: anchors 0 and 2 at squared distances 0 and 4, weights 16/17 and 1/17, y = 15/17.
  // x = 2: turned round, y = -15/17.  x = 1: y = 0.  x = 0.75: weights 2/3 and 1/3, y = 1/3.
  const Matrix<float> values = sample_graph().values(Matrix<float>{{0}, {2}, {1}, {0.75F}});
  EXPECT_NEAR(values(0, 0), 15.0 / 17.0, 1e-6);
  EXPECT_NEAR(values(0, 1), 15.0 / 17.0 - 0.5, 1e-6);
  EXPECT_NEAR(values(1, 1), 15.0 / 17.0 - 0.5, 1e-6);
  EXPECT_NEAR(values(1, 2), 15.0 / 17.0 - 0.5, 1e-6);
  EXPECT_NEAR(values(3, 0), 1.0 / 3.0, 1e-6);
  const std::vector<std::uint64_t> expected{0b011, 0b110, 0b000, 0b001};
  EXPECT_TRUE(std::ranges::equal(
      encode(sample_graph(), Matrix<float>{{0}, {2}, {1}, {0.75F}}, 1).words(), expected));
}

/// All weights would be zero without the nearest as their reference.
TEST(AnchorGraphEncoder, FarFromEveryAnchor) {
  const Matrix<float> values = sample_graph().values(Matrix<float>{{1e6F}, {-1e6F}, {3e38F}});
  EXPECT_NEAR(values(0, 0), 3.0, 1e-6);
  EXPECT_NEAR(values(1, 0), 1.0, 1e-6);
  EXPECT_TRUE(values.allFinite());
}

TEST(AnchorGraphEncoder, SignsDependOnTheRowAlone) {
  AnchorGraphEncoder encoder{.anchors = test::random_matrix(30, 12, Seed{3}),
                             .neighbours = 4,
                             .gamma = 0.1F,
                             .coefficients = test::random_matrix(7, 30, Seed{4}),
                             .columns = {0, 1, 2, 3, 4, 5, 6},
                             .low = std::vector<float>(7, -kMax),
                             .high = std::vector<float>(7, 0.0F)};
  const Matrix<float> x = test::random_matrix(300, 12, Seed{5});
  const Matrix<float> values = encoder.values(x);
  for (const Index row : {0, 17, 299}) {
    EXPECT_EQ(encoder.values(x.middleRows(row, 1)), values.row(row));
  }
}

TEST(AnchorGraphEncoder, CheckFindsEveryDefect) {
  EXPECT_NO_THROW(sample_graph().check());
  const auto refused = [&](const std::string& words, const auto& change) {
    AnchorGraphEncoder encoder = sample_graph();
    change(encoder);
    expect_error(Errc::usage, words, [&] { encoder.check(); });
  };
  refused("needs anchors", [](AnchorGraphEncoder& e) { e = {}; });
  refused("as many anchors", [](AnchorGraphEncoder& e) { e.neighbours = 4; });
  refused("as many anchors", [](AnchorGraphEncoder& e) { e.neighbours = 0; });
  refused("one coefficient per anchor", [](AnchorGraphEncoder& e) { e.coefficients.resize(1, 2); });
  refused("two thresholds", [](AnchorGraphEncoder& e) { e.low.pop_back(); });
  refused("two thresholds", [](AnchorGraphEncoder& e) { e.high.pop_back(); });
  refused("function that does not exist", [](AnchorGraphEncoder& e) { e.columns[0] = 1; });
  refused("not finite", [](AnchorGraphEncoder& e) { e.anchors(0, 0) = std::nanf(""); });
  refused("not finite", [](AnchorGraphEncoder& e) { e.low[0] = std::nanf(""); });
  refused("not positive", [](AnchorGraphEncoder& e) { e.gamma = 0.0F; });
}

TEST(AnchorGraphEncoder, SaveAndLoad) {
  test::expect_safe_in_files(sample_graph());
}

}  // namespace
}  // namespace structhash
