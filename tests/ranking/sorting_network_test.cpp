#include "ranking/simd/sorting_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "structhash/core/rng.hpp"

namespace structhash {
namespace {

TEST(SortingNetwork, SortsEveryZeroOnePattern) {
  // The 0-1 principle: a network that sorts every sequence of zeros and ones sorts everything.
  for (std::size_t n = 1; n <= 14; ++n) {
    const auto network = simd::sorting_network(n, /*stride=*/3);
    for (unsigned bits = 0; bits < (1U << n); ++bits) {
      unsigned sorted = bits;
      for (const auto [low, high] : network) {
        const unsigned swap = (sorted >> (low / 3)) & ~(sorted >> (high / 3)) & 1U;
        sorted ^= swap << (low / 3) | swap << (high / 3);
      }
      const int ones = std::popcount(bits);
      ASSERT_EQ(sorted, ((1U << ones) - 1U) << (n - static_cast<std::size_t>(ones))) << n;
    }
  }
}

TEST(SortingNetwork, SortsLongerLists) {
  for (const std::size_t n : {31U, 32U, 33U, 50U, 63U, 64U, 65U, 100U, 257U, 1000U}) {
    Rng rng(Seed{n});
    std::vector<Index> values(n);
    std::ranges::generate(values, [&] { return rng.below(500); });
    std::vector<Index> expected = values;
    std::ranges::sort(expected);
    for (const auto [low, high] : simd::sorting_network(n, /*stride=*/1)) {
      if (values[low] > values[high]) {
        std::swap(values[low], values[high]);
      }
    }
    EXPECT_EQ(values, expected) << n;
  }
}

}  // namespace
}  // namespace structhash
