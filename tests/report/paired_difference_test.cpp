#include "report/paired_difference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "structhash/core/error.hpp"
#include "structhash/core/rng.hpp"

namespace structhash {
namespace {

using Values = std::vector<std::vector<float>>;  // [seed][query]

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

/// a - b is normal with the given mean and spread, and every seed has an effect of its own.
struct Sample {
  Values a;
  Values b;
};

Sample draw(Index seeds, Index queries, double seed_spread, double query_spread, Rng& rng) {
  Sample sample;
  for (Index s = 0; s < seeds; ++s) {
    const double effect = 0.1 + seed_spread * rng.normal();
    sample.a.emplace_back();
    sample.b.emplace_back();
    for (Index q = 0; q < queries; ++q) {
      const double difficulty = rng.uniform();  // shared by both methods: pairing removes it
      sample.a.back().push_back(
          static_cast<float>(difficulty + effect + query_spread * rng.normal()));
      sample.b.back().push_back(static_cast<float>(difficulty));
    }
  }
  return sample;
}

double mean_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

/// Half the width of the central 95 % of means of resamples: the slow twin of the formula.
double bootstrap_half_width(std::span<const double> values, Rng& rng) {
  constexpr int kResamples = 4000;
  std::vector<double> means;
  for (int r = 0; r < kResamples; ++r) {
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += values[static_cast<std::size_t>(rng.below(std::ssize(values)))];
    }
    means.push_back(sum / static_cast<double>(values.size()));
  }
  std::ranges::sort(means);
  return (means[kResamples * 975 / 1000] - means[kResamples * 25 / 1000]) / 2.0;
}

std::vector<double> differences(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<double> result;
  for (std::size_t q = 0; q < a.size(); ++q) {
    result.push_back(static_cast<double>(a[q]) - static_cast<double>(b[q]));
  }
  return result;
}

// Values of printed tables, in which degrees of freedom go down the page.
TEST(StudentQuantile, AsInTables) {
  for (const auto& [degrees, quantile] : {std::pair{1, 12.706},
                                          {2, 4.303},
                                          {3, 3.182},
                                          {4, 2.776},
                                          {5, 2.571},
                                          {9, 2.262},
                                          {10, 2.228},
                                          {11, 2.201},
                                          {15, 2.131},
                                          {20, 2.086},
                                          {30, 2.042},
                                          {60, 2.000}}) {
    EXPECT_NEAR(student_quantile(degrees), quantile, 1e-3) << degrees;
  }
  EXPECT_NEAR(student_quantile(1'000'000), 1.959964, 1e-5);
  EXPECT_THROW(student_quantile(0), Error);
}

TEST(PairedDifference, OneSeedHasNoInterval) {
  Rng rng(Seed{7});
  const Sample sample = draw(1, 400, 0.0, 0.3, rng);
  const PairedDifference result = paired_difference(sample.a, sample.b);
  EXPECT_NEAR(result.mean, mean_of(differences(sample.a[0], sample.b[0])), 1e-9);
  EXPECT_FALSE(result.margin);
  EXPECT_FALSE(result.undecided());
  EXPECT_EQ(result.queries, 400);
  EXPECT_EQ(result.seeds, 1);
}

TEST(PairedDifference, SeedsThatDifferAgreeWithABootstrapOverSeeds) {
  Rng rng(Seed{8});
  const Sample sample = draw(60, 50, 0.2, 0.1, rng);
  const PairedDifference result = paired_difference(sample.a, sample.b);
  std::vector<double> by_seed;
  for (std::size_t s = 0; s < sample.a.size(); ++s) {
    by_seed.push_back(mean_of(differences(sample.a[s], sample.b[s])));
  }
  EXPECT_NEAR(result.mean, mean_of(by_seed), 1e-9);
  const double half_width = bootstrap_half_width(by_seed, rng);
  EXPECT_NEAR(result.margin.value(), half_width, 0.06 * half_width);
}

TEST(PairedDifference, IntervalsHoldTheTruthNineteenTimesInTwenty) {
  Rng rng(Seed{9});
  constexpr int kTrials = 2000;
  for (const Index seeds : {2, 3, 5}) {
    for (const double seed_spread : {0.0, 0.2}) {
      int held = 0;
      for (int t = 0; t < kTrials; ++t) {
        const Sample sample = draw(seeds, 20, seed_spread, 0.3, rng);
        const PairedDifference result = paired_difference(sample.a, sample.b);
        held += std::abs(result.mean - 0.1) <= result.margin.value() ? 1 : 0;
      }
      EXPECT_GT(held, kTrials * 935 / 1000) << seeds << " seeds";  // three standard deviations
      EXPECT_LT(held, kTrials * 965 / 1000) << seeds << " seeds";
    }
  }
}

TEST(PairedDifference, TwoSeedsByHand) {
  // D_1 = 0.5, D_2 = 2: B = 1.125, one degree of freedom.
  const Values a{{1.0F, 1.0F}, {2.0F, 3.0F}};
  const Values b{{1.0F, 0.0F}, {0.0F, 1.0F}};
  const PairedDifference result = paired_difference(a, b);
  EXPECT_DOUBLE_EQ(result.mean, 1.25);
  EXPECT_NEAR(result.margin.value(), 12.7062047 * std::sqrt(0.5625), 1e-12);
  EXPECT_TRUE(result.undecided());
}

TEST(PairedDifference, QueriesWithoutAValueAreLeftOut) {
  const Values a{{0.5F, kNone, 0.75F, 1.0F}, {kNone, kNone, kNone, kNone}};
  const Values b{{0.25F, 0.5F, 0.5F, kNone}, {0.0F, 0.0F, 0.0F, 0.0F}};
  const PairedDifference result = paired_difference(a, b);
  EXPECT_DOUBLE_EQ(result.mean, 0.25);
  EXPECT_EQ(result.queries, 2);
  EXPECT_EQ(result.seeds, 1);
}

TEST(PairedDifference, RefusesWhatCannotBePaired) {
  const Values two{{1.0F, 0.5F}};
  EXPECT_THROW(paired_difference(two, Values{{1.0F}}), Error);
  EXPECT_THROW(paired_difference(two, Values{}), Error);
  EXPECT_THROW(paired_difference(Values{{1.0F}}, Values{{1.0F}}), Error);
}

}  // namespace
}  // namespace structhash
