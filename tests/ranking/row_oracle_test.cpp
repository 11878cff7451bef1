#include "ranking/row_oracle.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "hwy/targets.h"
#include "ranking/training_gains.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/ranking/measures.hpp"
#include "support/scalar_row_oracle.hpp"

namespace structhash {
namespace {

struct Shape {
  Index relevant;
  Index irrelevant;
};

struct Batch {
  std::vector<std::uint16_t> inversions;
  std::vector<double> losses;
  bool operator==(const Batch&) const = default;
};

enum class Kind { zero, hamming, weighted, signed_values };

/// Lists in the states training meets: all distances 0, small integers with many ties, weighted
/// sums with some, and (no distance, but allowed) values of both signs and both zeros.
std::vector<float> random_lists(Kind kind, Shape shape, Index lists, std::uint64_t seed) {
  Rng rng(Seed{seed}.fork("lists"));
  std::vector<float> distances;
  for (Index l = 0; l < lists * (shape.relevant + shape.irrelevant); ++l) {
    const bool relevant = l % (shape.relevant + shape.irrelevant) < shape.relevant;
    const double centre = relevant ? 0.8 : 1.2;
    switch (kind) {
      case Kind::zero:
        distances.push_back(0.0F);
        break;
      case Kind::hamming:
        distances.push_back(0.25F * static_cast<float>(rng.below(relevant ? 6 : 9)));
        break;
      case Kind::weighted:
        distances.push_back(static_cast<float>(std::abs(centre + 0.4 * rng.normal())));
        break;
      case Kind::signed_values:
        distances.push_back(rng.below(4) == 0 ? (rng.below(2) == 0 ? 0.0F : -0.0F)
                                              : static_cast<float>(centre - 1.0 + rng.normal()));
        break;
    }
  }
  return distances;
}

constexpr Kind kKinds[] = {Kind::zero, Kind::hamming, Kind::weighted, Kind::signed_values};

Batch run(const GainTable& gains, std::span<const float> distances, std::size_t lists) {
  // Filled with nonsense, to see that everything is written.
  Batch batch{std::vector<std::uint16_t>(distances.size(), 0xBEEF),
              std::vector<double>(lists, -1.0)};
  most_violated_batch(gains, distances, batch.inversions, batch.losses);
  return batch;
}

void expect_scalar_twin(const GainTable& gains, std::span<const float> distances,
                        const Batch& batch) {
  const std::size_t items = distances.size() / batch.losses.size();
  for (std::size_t list = 0; list < batch.losses.size(); ++list) {
    const auto expected = test::scalar_row_oracle(gains, distances.subspan(list * items, items));
    const auto first = batch.inversions.begin() + static_cast<std::ptrdiff_t>(list * items);
    ASSERT_TRUE(std::equal(expected.inversions.begin(), expected.inversions.end(), first))
        << "list " << list;
    ASSERT_NEAR(batch.losses[list], expected.loss, gains.counts_pairs() ? 1e-12 : 0.0);
  }
}

std::vector<MeasureEntry> trainable() {
  std::vector<MeasureEntry> entries(measures().begin(), measures().end());
  std::erase_if(entries, [](const MeasureEntry& entry) { return entry.gains == nullptr; });
  return entries;
}

TEST(MostViolatedBatch, EqualsScalarTwinForEveryShape) {
  // Sizes around the vector widths and the 64 columns of a bitmap word.
  const Shape shapes[] = {{1, 1},   {1, 70},  {70, 1},   {2, 3},    {3, 63},   {4, 64},  {5, 65},
                          {7, 8},   {8, 7},   {15, 17},  {16, 16},  {33, 31},  {50, 50}, {63, 62},
                          {64, 63}, {65, 66}, {20, 129}, {129, 20}, {100, 300}};
  for (const MeasureEntry& entry : trainable()) {
    for (const Shape shape : shapes) {
      const GainTable gains(*entry.gains(1 + shape.relevant / 2), shape.relevant, shape.irrelevant);
      for (const Kind kind : kKinds) {
        SCOPED_TRACE(testing::Message() << entry.name << " " << shape.relevant << "+"
                                        << shape.irrelevant << " kind " << static_cast<int>(kind));
        const auto distances = random_lists(kind, shape, /*lists=*/11, /*seed=*/3);
        expect_scalar_twin(gains, distances, run(gains, distances, 11));
      }
    }
  }
}

TEST(MostViolatedBatch, EqualsScalarTwinOnManyTrainingLists) {
  constexpr Shape kShape{50, 50};
  for (const MeasureEntry& entry : trainable()) {
    SCOPED_TRACE(entry.name);
    const GainTable gains(*entry.gains(100), kShape.relevant, kShape.irrelevant);
    for (const Kind kind : kKinds) {
      const auto distances = random_lists(kind, kShape, /*lists=*/500, /*seed=*/8);
      expect_scalar_twin(gains, distances, run(gains, distances, 500));
    }
  }
}

TEST(MostViolatedBatch, LongLists) {
  for (const char* measure : {"auc", "map", "ndcg@100"}) {
    const GainTable gains(*make_measure(measure), 1'000, 1'000);
    const auto distances = random_lists(Kind::weighted, {1'000, 1'000}, /*lists=*/3, /*seed=*/4);
    expect_scalar_twin(gains, distances, run(gains, distances, 3));
  }
}

TEST(MostViolatedBatch, ZeroDistancesPutEveryIrrelevantItemFirst) {
  const GainTable gains(*make_measure("ndcg@100"), 5, 7);
  const std::vector<float> distances(12, 0.0F);
  const Batch batch = run(gains, distances, 1);
  EXPECT_EQ(batch.inversions, (std::vector<std::uint16_t>{7, 7, 7, 7, 7, 5, 5, 5, 5, 5, 5, 5}));
  EXPECT_EQ(batch.losses[0], 1.0);
}

TEST(MostViolatedBatch, SumOfCountsIsTheSameOnBothSides) {
  const GainTable gains(*make_measure("map"), 50, 50);
  const auto distances = random_lists(Kind::weighted, {50, 50}, /*lists=*/100, /*seed=*/2);
  const Batch batch = run(gains, distances, 100);
  for (auto list = batch.inversions.begin(); list != batch.inversions.end(); list += 100) {
    EXPECT_EQ(std::accumulate(list, list + 50, 0), std::accumulate(list + 50, list + 100, 0));
  }
}

TEST(MostViolatedBatch, GroupingOfListsChangesNoBit) {
  constexpr std::size_t kLists = 41;
  for (const char* measure : {"auc", "ndcg@100"}) {
    const GainTable gains(*make_measure(measure), 50, 50);
    const auto distances = random_lists(Kind::weighted, {50, 50}, kLists, /*seed=*/5);
    const Batch whole = run(gains, distances, kLists);
    for (const std::size_t group : {1U, 3U, 8U, 40U}) {
      Batch parts;
      for (std::size_t first = 0; first < kLists; first += group) {
        const std::size_t count = std::min(group, kLists - first);
        const Batch part =
            run(gains, std::span(distances).subspan(first * 100, count * 100), count);
        parts.inversions.insert(parts.inversions.end(), part.inversions.begin(),
                                part.inversions.end());
        parts.losses.insert(parts.losses.end(), part.losses.begin(), part.losses.end());
      }
      EXPECT_EQ(parts, whole) << measure << " in groups of " << group;
    }
  }
}

/// Runs the kernels of one instruction set until the end of the scope.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) { choose(target); }
  ~OnlyTarget() { choose(0); }  // 0 gives back the choice of the processor
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;

 private:
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

TEST(MostViolatedBatch, EveryInstructionSetGivesTheSameBits) {
  const Shape shapes[] = {{1, 1}, {9, 5}, {50, 50}, {66, 131}};
  for (const char* measure : {"auc", "ndcg@20", "map"}) {
    for (const Shape shape : shapes) {
      const GainTable gains(*make_measure(measure), shape.relevant, shape.irrelevant);
      for (const Kind kind : kKinds) {
        const auto distances = random_lists(kind, shape, /*lists=*/21, /*seed=*/6);
        const Batch expected = run(gains, distances, 21);
        for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
          const OnlyTarget only(target);
          EXPECT_EQ(run(gains, distances, 21), expected)
              << measure << " on " << hwy::TargetName(target);
        }
      }
    }
  }
  EXPECT_FALSE(hwy::SupportedAndGeneratedTargets().empty());
}

TEST(MostViolatedBatch, AnyAlignment) {
  const GainTable gains(*make_measure("map"), 13, 9);
  const auto distances = random_lists(Kind::weighted, {13, 9}, /*lists=*/9, /*seed=*/1);
  const Batch expected = run(gains, distances, 9);
  for (std::size_t shift = 1; shift < 16; ++shift) {
    std::vector<float> moved(shift);
    moved.insert(moved.end(), distances.begin(), distances.end());
    EXPECT_EQ(run(gains, std::span(moved).subspan(shift), 9), expected);
  }
}

TEST(MostViolatedBatch, ThresholdOfAucIsExact) {
  // Floats next to d + 1/2 on both sides, where the sum rounds up or down.
  const GainTable gains(*make_measure("auc"), 1, 3);
  Rng rng(Seed{11});
  for (int trial = 0; trial < 5'000; ++trial) {
    const auto d = static_cast<float>(rng.uniform() * (trial % 2 == 0 ? 1.0 : 40.0) - 1.0);
    const float e = d + 0.5F;
    const std::vector<float> distances{d, e, std::nextafter(e, 100.0F), std::nextafter(e, -100.0F)};
    const Batch batch = run(gains, distances, 1);
    for (std::size_t k = 1; k < 4; ++k) {
      const bool wrong = static_cast<double>(distances[k]) <= static_cast<double>(d) + 0.5;
      ASSERT_EQ(batch.inversions[k], wrong ? 1 : 0) << d;
    }
  }
}

TEST(MostViolatedBatch, NoListsIsNothing) {
  const GainTable gains(*make_measure("map"), 3, 4);
  EXPECT_NO_THROW(most_violated_batch(gains, {}, {}, {}));
}

TEST(MostViolatedBatch, RefusesSizesThatDoNotFit) {
  const GainTable gains(*make_measure("map"), 3, 4);
  std::vector<float> distances(14);
  std::vector<std::uint16_t> counts(14);
  std::vector<double> losses(2);
  EXPECT_NO_THROW(most_violated_batch(gains, distances, counts, losses));
  EXPECT_THROW(most_violated_batch(gains, std::span(distances).first(13), counts, losses), Error);
  EXPECT_THROW(most_violated_batch(gains, distances, std::span(counts).first(13), losses), Error);
  EXPECT_THROW(most_violated_batch(gains, distances, counts, std::span(losses).first(1)), Error);
}

TEST(MostViolatedBatch, NamesADistanceThatIsNotFinite) {
  for (const char* measure : {"auc", "map"}) {
    const GainTable gains(*make_measure(measure), 3, 4);
    for (const float bad :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
      std::vector<float> distances(7 * 20, 1.0F);
      distances[7 * 17 + 5] = bad;
      try {
        run(gains, distances, 20);
        FAIL() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Errc::usage);
        EXPECT_NE(std::string(error.what()).find("item 6 of list 18"), std::string::npos)
            << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace structhash
