#include <gtest/gtest.h>

#include <cmath>

#include "search/naive_scan.hpp"
#include "search/random_search.hpp"
#include "search/scan/flat_scan.hpp"
#include "structhash/core/error.hpp"
#include "structhash/search/code_index.hpp"

namespace structhash::search {
namespace {

Matrix<float> draw_values(Index rows, Index bits, Rng& rng) {
  return Matrix<float>::NullaryExpr(rows, bits, [&] { return static_cast<float>(rng.normal()); });
}

TEST(AsymmetricScan, EqualsTheFormula) {
  for (const Index bits : {5, 64, 100, 256}) {
    SCOPED_TRACE(bits);
    Rng rng(Seed{static_cast<std::uint64_t>(bits)});
    const CodeMatrix database = uniform_codes(3'000, bits, rng);
    const Matrix<float> values = draw_values(5, bits, rng);
    const std::vector<float> weights = draw_weights(bits, 0, rng);
    const auto found = nearest_asymmetric(database, values, weights, 20, {.threads = 2});
    for (Index query = 0; query < values.rows(); ++query) {
      std::vector<double> all;
      const auto distance = [&](Index row) {
        double sum = 0.0;
        for (Index bit = 0; bit < bits; ++bit) {
          const double value = values(query, bit);
          const bool differs = (value > 0.0) != database.bit(row, bit);
          sum += differs ? std::abs(value) * weights[static_cast<std::size_t>(bit)] : 0.0;
        }
        return sum;
      };
      for (Index row = 0; row < database.rows(); ++row) {
        all.push_back(distance(row));
      }
      std::sort(all.begin(), all.end());
      const std::vector<Neighbour>& list = found[static_cast<std::size_t>(query)];
      ASSERT_EQ(list.size(), 20U);
      for (std::size_t i = 0; i < list.size(); ++i) {
        ASSERT_NEAR(list[i].distance, all[i], 1e-4);
        ASSERT_NEAR(list[i].distance, distance(list[i].row), 1e-4);
      }
    }
  }
}

/// Bit for bit: a query is the code of its signs with |value| * weight as weights.
TEST(AsymmetricScan, EqualsTheNaiveWeightedScan) {
  Rng rng(Seed{4});
  const CodeMatrix database = clustered_codes(5'000, uniform_codes(5, 96, rng), 0.1, rng);
  const Matrix<float> values = draw_values(4, 96, rng);
  const auto found = nearest_asymmetric(database, values, {}, 200, {.threads = 3});
  for (Index query = 0; query < values.rows(); ++query) {
    CodeMatrix signs(1, 96);
    std::vector<float> weights;
    for (Index bit = 0; bit < 96; ++bit) {
      signs.set(0, bit, values(query, bit) > 0.0F);
      weights.push_back(std::abs(values(query, bit)));
    }
    ASSERT_EQ(found[static_cast<std::size_t>(query)],
              first_k(naive_ranking(database, signs, weighted_distance(weights)), 200)[0]);
  }
}

/// Adaptive queries carry their weights: those of the index do not count.
TEST(AdaptiveIndex, EnginesAgreeWithTheNaiveScan) {
  Rng rng(Seed{6});
  const CodeMatrix database = clustered_codes(4'000, uniform_codes(9, 64, rng), 0.05, rng);
  const Matrix<float> values = draw_values(12, 64, rng).array().tanh();
  CodeIndex index({.bits = 64, .bit_weights = draw_weights(64, 0, rng)});
  index.add(database);
  const IndexSearchOptions walk{.engine = EngineChoice::multi_index};
  EXPECT_THROW(index.nearest_adaptive(values, 9, walk), Error);  // no tables yet
  index.prepare();
  const SearchResult scanned = index.nearest_adaptive(values, 50, {.threads = 2});
  const SearchResult walked = index.nearest_adaptive(values, 50, walk);
  EXPECT_EQ(scanned.engine, "scan");
  EXPECT_EQ(walked.engine, "multi-index");
  EXPECT_EQ(scanned.ids, walked.ids);
  EXPECT_EQ(scanned.distances, walked.distances);
  for (Index query = 0; query < values.rows(); ++query) {
    const SignsAndWeights own = split_values(values, query, {});
    const auto expected =
        first_k(naive_ranking(database, own.code, weighted_distance(own.weights)), 50)[0];
    for (std::size_t i = 0; i < 50; ++i) {
      const auto at = static_cast<std::size_t>(query) * 50 + i;
      EXPECT_EQ(scanned.ids[at], expected[i].row);
      EXPECT_EQ(scanned.distances[at], expected[i].distance);
    }
  }
  const SearchResult asymmetric = index.nearest_asymmetric(values, 50);
  EXPECT_EQ(asymmetric.ids, index.nearest_asymmetric(values, 50, walk).ids);
  EXPECT_NE(asymmetric.distances, scanned.distances);
}

TEST(AsymmetricScan, RefusesBadInput) {
  const CodeMatrix codes(10, 64);
  Matrix<float> values = Matrix<float>::Zero(1, 64);
  const std::vector<float> few(3, 1.0F);
  const std::vector<float> negative(64, -1.0F);
  EXPECT_THROW(nearest_asymmetric(codes, values.leftCols(63), {}, 1, {}), Error);
  EXPECT_THROW(nearest_asymmetric(codes, values, few, 1, {}), Error);
  EXPECT_THROW(nearest_asymmetric(codes, values, negative, 1, {}), Error);
  EXPECT_THROW(nearest_asymmetric(codes, values, {}, 0, {}), Error);
  EXPECT_THROW(nearest_asymmetric(codes, values, {}, 1, {.threads = 0}), Error);
  values(0, 5) = std::numeric_limits<float>::infinity();
  EXPECT_THROW(nearest_asymmetric(codes, values, {}, 1, {}), Error);
}

}  // namespace
}  // namespace structhash::search
