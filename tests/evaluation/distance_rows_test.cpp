#include "evaluation/distance_rows.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <bit>

#include "evaluation/simd/xor_popcount.hpp"
#include "random_codes.hpp"

namespace structhash {
namespace {

TEST(XorPopcount, EveryTargetEqualsTheScalarLoopAtOddSizes) {
  Rng rng(Seed{1});
  std::vector<std::uint64_t> words(203);
  std::ranges::generate(words, [&] { return rng.next(); });
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    for (const std::size_t count : {0U, 1U, 2U, 7U, 8U, 9U, 33U, 200U}) {
      for (const std::size_t period : {1U, 2U, 3U, 5U, 16U}) {
        for (const std::size_t start : {0U, 1U, 3U}) {  // misaligned
          std::vector<std::uint8_t> counts(count + 1, 99);
          xor_popcount(words.data() + start, count, words.data() + 50, period, counts.data());
          for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(int{counts[i]}, std::popcount(words[start + i] ^ words[50 + i % period]))
                << hwy::TargetName(target) << ' ' << count << ' ' << period << ' ' << i;
          }
          ASSERT_EQ(counts[count], 99) << "wrote past the end";
        }
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

TEST(DistanceRows, EqualTheDistancesOfSinglePairs) {
  for (const Index bits : {1, 7, 8, 63, 64, 65, 128, 200, 1024, 1031}) {
    const CodeMatrix database = random_codes(4'099, bits, 1);
    const CodeMatrix query = random_codes(1, bits, 2);
    const WeightTable weights(random_weights(bits, 3));
    std::vector<std::uint16_t> counts(static_cast<std::size_t>(database.rows()));
    std::vector<float> distances(counts.size());
    hamming_row(database, query.row(0), counts);
    weighted_row(database, query.row(0), weights, distances);
    for (Index row = 0; row < database.rows(); ++row) {
      const auto i = static_cast<std::size_t>(row);
      ASSERT_EQ(Index{counts[i]}, hamming(database.row(row), query.row(0))) << bits;
      ASSERT_EQ(distances[i], weights.distance(database.row(row), query.row(0))) << bits;
    }
  }
}

}  // namespace
}  // namespace structhash
