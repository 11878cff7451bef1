#include "reference/joint_feature.hpp"

#include <gtest/gtest.h>

#include "structhash/core/error.hpp"
#include "support/ranking_brute_force.hpp"

namespace structhash {
namespace {

using reference::inversions;
using reference::joint_coefficients;

TEST(Inversions, HandWorkedExample) {
  // I R I R: NB of the relevant items 1 and 2; PA of the irrelevant ones 2 and 1.
  EXPECT_EQ(inversions({Vector<Index>{{1, 2}}}, 2), (std::vector<std::uint16_t>{1, 2, 2, 1}));
}

TEST(Inversions, EqualPairCountsOnEveryPattern) {
  for (const test::Pattern& pattern : test::all_patterns(/*max_items=*/9)) {
    const Index P = test::count_relevant(pattern);
    const auto counts = inversions(test::interleaving(pattern), std::ssize(pattern) - P);
    std::size_t relevant = 0;
    auto irrelevant = static_cast<std::size_t>(P);
    for (auto item = pattern.begin(); item != pattern.end(); ++item) {
      if (*item) {
        ASSERT_EQ(counts[relevant++], std::count(pattern.begin(), item, false));
      } else {
        ASSERT_EQ(counts[irrelevant++], std::count(item, pattern.end(), true));
      }
    }
  }
}

TEST(Inversions, RefusesCountsThatAreNoRanking) {
  EXPECT_THROW(inversions({Vector<Index>{{2, 1}}}, 3), Error);
  EXPECT_THROW(inversions({Vector<Index>{{1, 4}}}, 3), Error);
  EXPECT_THROW(inversions({Vector<Index>{{-1, 1}}}, 3), Error);
}

// Eq. (13) over explicit pairs, for one bit: 2/(P N) sum |h_q - h_k| - |h_q - h_j| over the pairs
// with irrelevant k before relevant j.
double explicit_pairs(const test::Pattern& pattern, const std::vector<int>& bits, int query_bit) {
  double sum = 0.0;
  Index pairs = 0;
  for (std::size_t j = 0; j < pattern.size(); ++j) {
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      pairs += pattern[j] && !pattern[k] ? 1 : 0;
      if (k < j && pattern[j] && !pattern[k]) {
        sum += std::abs(query_bit - bits[k]) - std::abs(query_bit - bits[j]);
      }
    }
  }
  return 2.0 * sum / to_double(pairs);
}

TEST(JointCoefficients, CollapseEqualsExplicitPairs) {  // docs/methods.md A.7
  Rng rng(Seed{7});
  for (const test::Pattern& pattern : test::all_patterns(/*max_items=*/8)) {
    const Index P = test::count_relevant(pattern);
    const auto counts = inversions(test::interleaving(pattern), std::ssize(pattern) - P);
    const Vector<double> a = joint_coefficients(counts, P);
    const int query_bit = static_cast<int>(rng.below(2));
    std::vector<int> bits;
    double by_difference = 0.0;
    double by_sign = 0.0;
    Index relevant = 0;
    Index irrelevant = P;
    for (const bool is_relevant : pattern) {
      bits.push_back(static_cast<int>(rng.below(2)));
      const double coefficient = a(is_relevant ? relevant++ : irrelevant++);
      by_difference -= coefficient * std::abs(query_bit - bits.back());
      by_sign += 0.5 * coefficient * (2 * query_bit - 1) * (2 * bits.back() - 1);
    }
    const double expected = explicit_pairs(pattern, bits, query_bit);
    ASSERT_NEAR(by_difference, expected, 1e-12);
    ASSERT_NEAR(by_sign, expected, 1e-12);
    ASSERT_NEAR(a.sum(), 0.0, 1e-12);
  }
}

TEST(JointCoefficients, RefusesListsOfOneKind) {
  const std::vector<std::uint16_t> counts{1, 1};
  EXPECT_THROW(joint_coefficients(counts, 0), Error);
  EXPECT_THROW(joint_coefficients(counts, 2), Error);
}

}  // namespace
}  // namespace structhash
