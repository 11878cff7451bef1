#include "search/multi_index/flip_order.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "structhash/core/rng.hpp"

namespace structhash::search {
namespace {

double cost_of(std::uint32_t mask, std::span<const float> weights) {
  double cost = 0.0;
  for (std::size_t bit = 0; bit < weights.size(); ++bit) {
    cost += ((mask >> bit) & 1U) != 0 ? weights[bit] : 0.0F;
  }
  return cost;
}

TEST(FlipOrder, PlainDistanceGoesByTheNumberOfFlips) {
  const FlipOrder order = make_flip_order(std::vector<float>(5, 1.0F), 1000);
  ASSERT_EQ(order.masks.size(), 32U);
  for (std::size_t i = 1; i < 32; ++i) {
    EXPECT_LE(std::popcount(order.masks[i - 1]), std::popcount(order.masks[i]));
  }
  EXPECT_EQ(order.steps.front().end, 1U);  // nothing flipped
  EXPECT_EQ(order.steps[1].end, 6U);       // one bit
  EXPECT_EQ(order.steps[1].next_cost, 2.0);
  EXPECT_TRUE(std::isinf(order.steps.back().next_cost));
}

TEST(FlipOrder, AllWaysOnceInOrderOfCost) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(Seed{seed});
    std::vector<float> weights(static_cast<std::size_t>(1 + rng.below(10)));
    for (float& weight : weights) {
      weight = rng.uniform() < 0.3 ? 0.0F : static_cast<float>(std::pow(10, 8 * rng.uniform()));
    }
    const std::size_t all = std::size_t{1} << weights.size();
    const FlipOrder order = make_flip_order(weights, 1 + static_cast<std::size_t>(rng.below(2000)));
    EXPECT_EQ(std::set(order.masks.begin(), order.masks.end()).size(), order.masks.size());
    std::size_t begin = 0;
    for (const FlipStep& step : order.steps) {
      ASSERT_GT(step.end, begin);
      for (std::size_t i = begin; i < step.end; ++i) {
        EXPECT_LE(cost_of(order.masks[i], weights), step.next_cost * (1 + 1e-12));
      }
      for (std::size_t i = step.end; i < order.masks.size(); ++i) {
        EXPECT_GE(cost_of(order.masks[i], weights), step.next_cost * (1 - 1e-12));
      }
      begin = step.end;
    }
    EXPECT_EQ(begin, order.masks.size());
    EXPECT_EQ(std::isinf(order.steps.back().next_cost), order.masks.size() == all);
  }
}

}  // namespace
}  // namespace structhash::search
