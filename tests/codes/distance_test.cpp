#include "structhash/codes/distance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "structhash/core/rng.hpp"
#include "support/expect_error.hpp"

namespace structhash {
namespace {

using test::expect_error;

CodeMatrix random_codes(Index rows, Index bits, Seed seed) {
  Rng rng(seed);
  CodeMatrix codes(rows, bits);
  for (Index row = 0; row < rows; ++row) {
    for (Index bit = 0; bit < bits; ++bit) {
      codes.set(row, bit, rng.uniform() < 0.5);
    }
  }
  return codes;
}

TEST(Hamming, CountsBitByBit) {
  for (const Index bits : {1, 7, 64, 65, 130}) {
    const CodeMatrix codes = random_codes(8, bits, Seed{3});
    for (Index a = 0; a < 8; ++a) {
      for (Index b = 0; b < 8; ++b) {
        Index different = 0;
        for (Index bit = 0; bit < bits; ++bit) {
          different += codes.bit(a, bit) != codes.bit(b, bit) ? 1 : 0;
        }
        EXPECT_EQ(hamming(codes.row(a), codes.row(b)), different);
      }
    }
  }
  EXPECT_EQ(hamming(CodeView{}, CodeView{}), 0);
  expect_error(Errc::usage, "different lengths",
               [] { hamming(CodeMatrix(1, 64).row(0), CodeMatrix(1, 65).row(0)); });
}

TEST(WeightTable, SumsTheWeightsOfDifferingBits) {
  for (const Index bits : {1, 7, 64, 65, 130}) {
    const CodeMatrix codes = random_codes(8, bits, Seed{5});
    Rng rng(Seed{7});
    std::vector<float> weights(static_cast<std::size_t>(bits));
    for (float& weight : weights) {
      weight = static_cast<float>(rng.uniform());
    }
    const WeightTable table(weights);
    EXPECT_EQ(table.bits(), bits);
    EXPECT_EQ(std::ssize(table.entries()), codes.words_per_code() * 8 * 256);
    for (Index a = 0; a < 8; ++a) {
      for (Index b = 0; b < 8; ++b) {
        double sum = 0.0;
        for (Index bit = 0; bit < bits; ++bit) {
          sum +=
              codes.bit(a, bit) != codes.bit(b, bit) ? weights[static_cast<std::size_t>(bit)] : 0;
        }
        EXPECT_NEAR(table.distance(codes.row(a), codes.row(b)), sum, 1e-5 * (1.0 + sum));
      }
    }
  }
}

TEST(WeightTable, ByteSumsAreAddedInAscendingOrder) {
  // 2^24 + 1 is not a float: it rounds to 2^24.  Within byte 0 bits 0 and 1 give (1 + 1) = 2, and
  // 2 + 2^24 is exact; from the other end 2^24 + 1 + 1 would stay 2^24.
  const std::vector<float> weights{1.0F, 1.0F, 16777216.0F};
  CodeMatrix codes(2, 3, {0, 7});
  EXPECT_EQ(WeightTable(weights).distance(codes.row(0), codes.row(1)), 16777218.0F);
}

TEST(WeightTable, EqualPatternsGiveIdenticalSums) {
  const CodeMatrix codes = random_codes(4, 130, Seed{9});
  std::vector<float> weights(130, 0.1F);
  const WeightTable table(weights);
  CodeMatrix shifted(2, 130);  // the same XOR pattern from other codes
  for (Index bit = 0; bit < 130; ++bit) {
    const bool flip = bit % 5 == 0;
    shifted.set(0, bit, codes.bit(0, bit) != flip);
    shifted.set(1, bit, codes.bit(1, bit) != flip);
  }
  EXPECT_EQ(table.distance(codes.row(0), codes.row(1)),
            table.distance(shifted.row(0), shifted.row(1)));
}

TEST(WeightTable, RefusesBadWeightsAndLengths) {
  const auto make = [](std::vector<float> weights) { return WeightTable(weights); };
  expect_error(Errc::usage, "weight of bit 1 is -1", [&] { make({1.0F, -1.0F}); });
  expect_error(Errc::usage, "weight of bit 0 is nan", [&] { make({std::nanf("")}); });
  expect_error(Errc::usage, "weight of bit 0 is inf", [&] { make({INFINITY}); });
  const float largest = std::numeric_limits<float>::max();
  expect_error(Errc::usage, "more than a float can hold", [&] { make({largest, largest}); });
  const CodeMatrix codes(1, 65);
  expect_error(Errc::usage, "different lengths",
               [&] { make({1.0F}).distance(codes.row(0), codes.row(0)); });
}

}  // namespace
}  // namespace structhash
