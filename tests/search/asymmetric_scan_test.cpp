#include <gtest/gtest.h>

#include <cmath>

#include "search/naive_scan.hpp"
#include "search/random_search.hpp"
#include "search/scan/flat_scan.hpp"
#include "structhash/core/error.hpp"

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
