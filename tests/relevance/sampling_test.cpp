#include "relevance/sampling.hpp"

#include <numeric>
#include <set>

#include "support.hpp"

namespace structhash {
namespace {

TEST(SampleOutside, NeverTouchesTheExcludedAndReachesAllOthersAlike) {
  const std::vector<Index> excluded{0, 3, 4, 9};
  std::vector<int> hits(10);
  for (std::uint64_t seed = 0; seed < 6'000; ++seed) {
    Rng rng(Seed{seed});
    const auto sample = sample_outside(10, excluded, 2, rng);
    ASSERT_EQ(sample.size(), 2U);
    ASSERT_LT(sample[0], sample[1]);
    for (const Index item : sample) {
      ++hits[static_cast<std::size_t>(item)];
    }
  }
  for (const Index item : {1, 2, 5, 6, 7, 8}) {
    EXPECT_NEAR(hits[static_cast<std::size_t>(item)], 2'000, 180) << item;  // 5 standard errors
  }
  for (const Index item : excluded) {
    EXPECT_EQ(hits[static_cast<std::size_t>(item)], 0) << item;
  }
}

TEST(SampleOutside, TakesAllWhenFewAreLeft) {
  Rng rng(Seed{1});
  const std::vector<Index> excluded{1, 2};
  EXPECT_EQ(sample_outside(5, excluded, 99, rng), (std::vector<Index>{0, 3, 4}));
  EXPECT_EQ(sample_outside(2, std::vector<Index>{0, 1}, 5, rng), std::vector<Index>{});
  EXPECT_EQ(sample_outside(3, {}, 3, rng), (std::vector<Index>{0, 1, 2}));
}

TEST(SampleOf, IsCappedAndAscending) {
  Rng rng(Seed{1});
  const std::vector<Index> items{7, 5, 9};
  EXPECT_EQ(sample_of(items, 10, rng), (std::vector<Index>{5, 7, 9}));
  EXPECT_EQ(sample_of({}, 10, rng), std::vector<Index>{});
}

}  // namespace
}  // namespace structhash
