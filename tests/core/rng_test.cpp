#include "structhash/core/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

TEST(Rng, ReferenceSequence) {
  // xoshiro256** from the state splitmix64(42) gives: the algorithm's published definition,
  // recomputed by an independent Python script.
  Rng rng(Seed{42});
  EXPECT_EQ(rng.next(), 1546998764402558742ULL);
  EXPECT_EQ(rng.next(), 6990951692964543102ULL);
  EXPECT_EQ(rng.next(), 12544586762248559009ULL);
}

TEST(Rng, NormalHasUnitMoments) {
  Rng rng(Seed{7});
  const int n = 200'000;
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < n; ++i) {
    const double z = rng.normal();
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(sum / n, 0.0, 0.01);  // 4.5 standard errors
  EXPECT_NEAR(squares / n, 1.0, 0.015);
}

TEST(Rng, BelowIsUniform) {
  Rng rng(Seed{3});
  std::vector<int> counts(7);
  for (int i = 0; i < 70'000; ++i) {
    ++counts[static_cast<std::size_t>(rng.below(7))];
  }
  for (const int count : counts) {
    EXPECT_NEAR(count, 10'000, 500);
  }
  EXPECT_THROW(rng.below(0), Error);
}

TEST(Rng, StreamsDifferByNameAndNumber) {
  const Seed seed{1};
  const std::set<std::uint64_t> values{seed.value,           seed.fork("a").value,
                                       seed.fork("b").value, seed.fork(0).value,
                                       seed.fork(1).value,   Seed{2}.fork("a").value};
  EXPECT_EQ(values.size(), 6U);
  EXPECT_EQ(seed.fork("a").value, Seed{1}.fork("a").value);
}

TEST(Sample, IsDistinctAndUniform) {
  std::vector<int> hits(10);
  for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
    Rng rng(Seed{seed});
    auto sample = sample_without_replacement(10, 4, rng);
    for (const Index item : sample) {
      ++hits[static_cast<std::size_t>(item)];
    }
    std::ranges::sort(sample);
    ASSERT_EQ(std::ranges::adjacent_find(sample), sample.end());
  }
  for (const int hit : hits) {
    EXPECT_NEAR(hit, 2'000, 180);
  }
}

TEST(Sample, AllItemsAndTooMany) {
  Rng rng(Seed{1});
  auto all = sample_without_replacement(50, 50, rng);
  std::ranges::sort(all);
  std::vector<Index> expected(50);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all, expected);
  EXPECT_THROW(sample_without_replacement(3, 4, rng), Error);
}

TEST(Shuffle, KeepsEveryItem) {
  Rng rng(Seed{9});
  std::vector<Index> items(100);
  std::iota(items.begin(), items.end(), 0);
  auto shuffled = items;
  rng.shuffle(shuffled);
  EXPECT_NE(shuffled, items);
  std::ranges::sort(shuffled);
  EXPECT_EQ(shuffled, items);
}

}  // namespace
}  // namespace structhash
