#include <gtest/gtest.h>

#include "ranking/training_gains.hpp"
#include "reference/joint_feature.hpp"
#include "reference/most_violated.hpp"
#include "structhash/ranking/measures.hpp"
#include "support/ranking_brute_force.hpp"

/// What every measure must satisfy, run over the table: a new measure is tested by its line there.
namespace structhash {

void PrintTo(const MeasureEntry& entry, std::ostream* out);
void PrintTo(const MeasureEntry& entry, std::ostream* out) {
  *out << entry.name;
}

namespace {

using reference::Interleaving;
using reference::inversions;
using reference::joint_coefficients;
using reference::loss;
using reference::most_violated;
using reference::most_violated_programme;
using reference::score;

class EveryMeasure : public testing::TestWithParam<MeasureEntry> {
 protected:
  std::unique_ptr<RankingMeasure> make(Index cutoff) const { return GetParam().gains(cutoff); }
  std::string_view name() const { return GetParam().name; }
};

TEST_P(EveryMeasure, GainsObeyTheirContract) {
  for (const Index cutoff : {1, 3, 4, 5, 30}) {  // P below, at and above K
    const auto measure = make(cutoff);
    for (const Index P : {1, 2, 3, 4, 9}) {
      for (const Index N : {1, 4, 7}) {
        double perfect = 0.0;
        for (Index j = 1; j <= P; ++j) {
          perfect += measure->gain(j, 0, P, N);
          for (Index i = 0; i <= N; ++i) {
            ASSERT_GE(measure->gain(j, i, P, N), 0.0);
            if (i > 0) {
              ASSERT_LE(measure->gain(j, i, P, N), measure->gain(j, i - 1, P, N));
            }
          }
        }
        ASSERT_NEAR(perfect, 1.0, 1e-12) << "P " << P << ", N " << N << ", K " << cutoff;
        const GainTable gains(*measure, P, N);
        ASSERT_NEAR(loss(gains, {Vector<Index>::Zero(P)}), 0.0, 1e-12);
      }
    }
  }
}

TEST_P(EveryMeasure, TableEqualsTextbookDefinition) {
  for (const Index cutoff : {1, 3, 8}) {
    const auto measure = make(cutoff);
    for (const test::Pattern& pattern : test::all_patterns(/*max_items=*/10)) {
      const Index P = test::count_relevant(pattern);
      const GainTable gains(*measure, P, std::ssize(pattern) - P);
      ASSERT_NEAR(score(gains, test::interleaving(pattern)),
                  test::textbook(name(), pattern, cutoff), 1e-12);
    }
  }
}

TEST_P(EveryMeasure, MostViolatedBeatsEveryPermutation) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    const Index cutoff = 1 + static_cast<Index>(seed % 5);
    const auto lists = test::random_distances(seed, /*max_items=*/seed < 110 ? 6 : 7);
    const GainTable gains(*make(cutoff), lists.relevant.size(), lists.irrelevant.size());
    const Interleaving worst = most_violated(gains, lists.relevant, lists.irrelevant);
    const auto ranked = test::ranked_items(worst, lists.irrelevant.size());
    ASSERT_NEAR(test::augmented_loss(name(), cutoff, lists, ranked),
                test::brute_force_maximum(name(), cutoff, lists), 1e-12);
  }
}

TEST_P(EveryMeasure, ZeroDistancesPutEveryIrrelevantItemFirst) {
  for (const Index P : {1, 3, 8}) {
    for (const Index N : {1, 5, 9}) {
      const GainTable gains(*make(/*cutoff=*/3), P, N);
      const Interleaving worst =
          most_violated_programme(gains, Vector<double>::Zero(P), Vector<double>::Zero(N));
      ASSERT_EQ(worst.before, Vector<Index>::Constant(P, N)) << "P " << P << ", N " << N;
      ASSERT_EQ(most_violated(gains, Vector<double>::Zero(P), Vector<double>::Zero(N)).before,
                worst.before);
    }
  }
}

TEST_P(EveryMeasure, FastPathAgreesWithTheProgramme) {  // where there is none, they are the same
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    const auto lists = test::random_distances(2 * seed + 1, /*max_items=*/40);  // without ties
    const GainTable gains(*make(/*cutoff=*/5), lists.relevant.size(), lists.irrelevant.size());
    ASSERT_EQ(most_violated(gains, lists.relevant, lists.irrelevant).before,
              most_violated_programme(gains, lists.relevant, lists.irrelevant).before);
  }
}

TEST_P(EveryMeasure, WeightScalesTheCoefficientsAndNothingElse) {
  const auto lists = test::random_distances(/*seed=*/5, /*max_items=*/30);
  const GainTable gains(*make(/*cutoff=*/4), lists.relevant.size(), lists.irrelevant.size());
  const auto counts =
      inversions(most_violated(gains, lists.relevant, lists.irrelevant), gains.irrelevant());
  const Vector<double> plain = joint_coefficients(counts, gains.relevant());
  const Vector<double> heavy = joint_coefficients(counts, gains.relevant(), /*weight=*/3.0);
  EXPECT_GT(plain.cwiseAbs().maxCoeff(), 0.0);
  EXPECT_TRUE(heavy.isApprox(3.0 * plain, 1e-15));
}

std::vector<MeasureEntry> trainable() {
  std::vector<MeasureEntry> entries(measures().begin(), measures().end());
  std::erase_if(entries, [](const MeasureEntry& entry) { return entry.gains == nullptr; });
  return entries;
}

std::string entry_name(const testing::TestParamInfo<MeasureEntry>& info) {
  std::string name(info.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMeasure, testing::ValuesIn(trainable()), entry_name);

}  // namespace
}  // namespace structhash
