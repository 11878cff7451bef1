#include <gtest/gtest.h>

#include <cmath>

#include "ranking/hypergeometric.hpp"
#include "ranking/reciprocal_sum.hpp"

namespace structhash {
namespace {

TEST(ReciprocalSum, EqualsTheSumInLongDouble) {
  for (const Index before : {0L, 1L, 5L, 30L, 31L, 32L, 33L, 100L, 12'345L, 1'000'000L}) {
    for (const Index terms : {1L, 2L, 15L, 16L, 17L, 18L, 40L, 1'000L, 100'000L}) {
      long double sum = 0.0L;
      for (Index rank = before + terms; rank > before; --rank) {
        sum += 1.0L / static_cast<long double>(rank);
      }
      const auto expected = static_cast<double>(sum);
      EXPECT_NEAR(reciprocal_sum(before, before + terms), expected, 4e-16 * expected)
          << before << " + " << terms;
    }
  }
  EXPECT_EQ(reciprocal_sum(7, 7), 0.0);
}

double choose(Index n, Index k) {
  return k < 0 || k > n
             ? 0.0
             : std::exp(std::lgamma(to_double(n) + 1.0) - std::lgamma(to_double(k) + 1.0) -
                        std::lgamma(to_double(n - k) + 1.0));
}

TEST(Hypergeometric, MeanOfAnyFunction) {
  const auto value = [](Index h) { return std::sqrt(to_double(h) + 0.25); };
  for (const Index n : {2L, 5L, 9L, 300L}) {
    for (Index p = 0; p <= n; p += 1 + n / 10) {
      for (Index k = 1; k < n; k += 1 + n / 10) {
        double expected = 0.0;
        for (Index h = 0; h <= std::min(p, k); ++h) {
          expected += choose(p, h) * choose(n - p, k - h) / choose(n, k) * value(h);
        }
        EXPECT_NEAR(hypergeometric_mean(n, p, k, value), expected, 1e-10)
            << n << ' ' << p << ' ' << k;
      }
    }
  }
}

TEST(Hypergeometric, LargeGroupsDoNotOverflow) {
  const auto identity = [](Index h) { return to_double(h); };
  // The mean is k p / n.
  EXPECT_NEAR(hypergeometric_mean(1'000'000, 300'000, 10'000, identity), 3'000.0, 1e-7);
  EXPECT_NEAR(hypergeometric_mean(1'000'000, 1, 10'000, identity), 0.01, 1e-14);
}

}  // namespace
}  // namespace structhash
