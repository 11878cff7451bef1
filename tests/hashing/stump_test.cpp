#include "hashing/families/stump.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "hashing/families/binned_features.hpp"
#include "hashing/simd/higher_sums.hpp"
#include "support/expect_error.hpp"
#include "support/model_files.hpp"
#include "support/random_forms.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::Pairs;

struct Found {
  double value = -std::numeric_limits<double>::infinity();
  Index column = -1;
  float low = 0.0F;  // the threshold lies in [low, high)
  float high = 0.0F;
};

/// The slow twin: every column, every gap between two values, F by its definition.
Found exhaustive(const Matrix<float>& x, const Pairs& pairs) {
  Found best;
  for (Index column = 0; column < x.cols(); ++column) {
    const std::set<float> values(x.col(column).begin(), x.col(column).end());
    for (auto low = values.begin(); std::next(low) != values.end(); ++low) {
      std::vector<float> s;
      for (Index row = 0; row < x.rows(); ++row) {
        s.push_back(x(row, column) > *low ? 1.0F : -1.0F);
      }
      const double value = test::naive_value(pairs, s);
      if (value > best.value) {
        best = {value, column, *low, *std::next(low)};
      }
    }
  }
  return best;
}

/// Small whole numbers: columns full of ties, and some that are constant.
Matrix<float> tied_matrix(Index rows, Index columns, Index values, Seed seed) {
  Rng rng(seed);
  Matrix<float> x(rows, columns);
  for (Index column = 0; column < columns; ++column) {
    const Index distinct = 1 + rng.below(values);
    for (Index row = 0; row < rows; ++row) {
      x(row, column) = static_cast<float>(rng.below(distinct));
    }
  }
  x(0, 0) = -1.0F;  // at least one column is not constant
  return x;
}

void expect_best(const Matrix<float>& x, const Pairs& pairs, const LearnedBit& bit) {
  const Found expected = exhaustive(x, pairs);
  const auto& stump = std::get<StumpFunction>(bit.function);
  EXPECT_DOUBLE_EQ(bit.edge, expected.value);  // whole weights: all sums are exact
  EXPECT_EQ(stump.column, expected.column);
  EXPECT_GE(stump.threshold, expected.low);
  EXPECT_LT(stump.threshold, expected.high);
  for (Index row = 0; row < x.rows(); ++row) {
    EXPECT_EQ(bit.signs[static_cast<std::size_t>(row)],
              x(row, stump.column) > stump.threshold ? 1 : -1);
  }
}

TEST(StumpFamily, EqualsExhaustiveSearch) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(Seed{seed});
    const Index rows = 2 + rng.below(25);
    const Index columns = 1 + rng.below(8);
    const Matrix<float> x = seed % 2 == 0 ? tied_matrix(rows, columns, 4, Seed{seed})
                                          : test::random_matrix(rows, columns, Seed{seed});
    const Pairs pairs = test::random_pairs(rows, 1 + rng.below(60), Seed{seed}, seed % 3 == 0);
    expect_best(x, pairs, StumpFamily(x, 1).best(pairs.form(rows), Seed{}, 1));
  }
}

TEST(StumpFamily, MoreColumnsThanOneBlock) {
  for (const Index columns : {63, 64, 65, 150}) {
    SCOPED_TRACE(columns);
    const Matrix<float> x = tied_matrix(40, columns, 9, Seed{1});
    const Pairs pairs = test::random_pairs(40, 300, Seed{2});
    expect_best(x, pairs, StumpFamily(x, 1).best(pairs.form(40), Seed{}, 1));
  }
}

TEST(StumpFamily, TiesGoToTheLowestColumnAndThreshold) {
  // Both columns order the rows alike, and cutting after row 0 or after row 1 both cuts weight -1.
  const Matrix<float> x{{0, 0}, {1, 10}, {2, 20}};
  const Pairs pairs{.left = {0, 1}, .right = {1, 2}, .weights = {-2.0F, -2.0F}};
  const LearnedBit bit = StumpFamily(x, 1).best(pairs.form(3), Seed{}, 1);
  const auto& stump = std::get<StumpFunction>(bit.function);
  EXPECT_EQ(stump.column, 0);
  EXPECT_EQ(stump.threshold, 0.5F);
  EXPECT_EQ(bit.signs, (std::vector<std::int8_t>{-1, 1, 1}));
}

TEST(StumpFamily, FormsThatNoStumpLikesGetTheBestAllTheSame) {
  const Matrix<float> x{{0, 5}, {1, 5}, {2, 5}};
  Pairs pairs{.left = {0, 1}, .right = {1, 2}, .weights = {6.0F, 2.0F}};
  // Cutting (0 | 1 2) gives -3 + 1, cutting (0 1 | 2) gives 3 - 1 = 2; all equal would give 4.
  EXPECT_DOUBLE_EQ(StumpFamily(x, 1).best(pairs.form(3), Seed{}, 1).edge, 2.0);
  pairs.weights = {0.0F, 0.0F};
  const LearnedBit bit = StumpFamily(x, 1).best(pairs.form(3), Seed{}, 1);
  EXPECT_EQ(bit.edge, 0.0);
  EXPECT_EQ(bit.signs, (std::vector<std::int8_t>{-1, 1, 1}));
}

TEST(StumpFamily, NeighbouringAndHugeFloatsAreStillSeparated) {
  const float one = 1.0F;
  const float next = std::nextafter(one, 2.0F);
  const float huge = std::numeric_limits<float>::max();
  const float tiny = std::numeric_limits<float>::denorm_min();
  for (const auto& [low, high] :
       {std::pair{one, next}, {-next, -one}, {-huge, huge}, {0.0F, tiny}, {-tiny, 0.0F}}) {
    const float threshold = threshold_between(low, high);
    EXPECT_GE(threshold, low);
    EXPECT_LT(threshold, high);
    const Matrix<float> x{{low}, {high}};
    const Pairs pairs{.left = {0}, .right = {1}, .weights = {-1.0F}};
    const StumpFamily family(x, 1);
    const LearnedBit bit = family.best(pairs.form(2), Seed{}, 1);
    EXPECT_EQ(bit.signs, (std::vector<std::int8_t>{-1, 1}));
    const CodeMatrix codes = encode(family.assemble(std::span(&bit, 1)), x, 1);
    EXPECT_FALSE(codes.bit(0, 0));
    EXPECT_TRUE(codes.bit(1, 0));
  }
}

TEST(StumpFamily, EncoderGivesTheTrainingSigns) {
  const Matrix<float> x = test::random_matrix(200, 70, Seed{3});
  const StumpFamily family(x, 1);
  std::vector<LearnedBit> bits;
  for (std::uint64_t b = 0; b < 9; ++b) {
    bits.push_back(family.best(test::random_pairs(200, 900, Seed{b}).form(200), Seed{}, 1));
  }
  const Encoder encoder = family.assemble(bits);
  EXPECT_EQ(encoder_bits(encoder), 9);
  EXPECT_EQ(encoder_dimension(encoder), 70);
  const CodeMatrix codes = encode(encoder, x, 1);
  for (Index row = 0; row < 200; ++row) {
    for (std::size_t b = 0; b < bits.size(); ++b) {
      ASSERT_EQ(codes.bit(row, static_cast<Index>(b)), bits[b].signs[std::size_t(row)] > 0);
    }
  }
}

TEST(StumpFamily, ThreadsChangeNothing) {
  const Matrix<float> x = test::random_matrix(700, 130, Seed{4});
  const PairForm form = test::random_pairs(700, 5'000, Seed{5}).form(700);
  const LearnedBit one = StumpFamily(x, 1).best(form, Seed{}, 1);
  for (const int threads : {2, 4}) {
    const LearnedBit many = StumpFamily(x, threads).best(form, Seed{}, threads);
    EXPECT_EQ(std::get<StumpFunction>(one.function).column,
              std::get<StumpFunction>(many.function).column);
    EXPECT_EQ(std::get<StumpFunction>(one.function).threshold,
              std::get<StumpFunction>(many.function).threshold);
    EXPECT_EQ(one.signs, many.signs);
    EXPECT_EQ(one.edge, many.edge);
  }
}

TEST(StumpFamily, Errors) {
  expect_error(Errc::usage, "constant", [] { StumpFamily(Matrix<float>::Ones(5, 3), 1); });
  expect_error(Errc::usage, "constant", [] { StumpFamily(Matrix<float>::Ones(1, 3), 1); });
  const StumpFamily family(Matrix<float>{{1}, {2}}, 1);
  const PairForm other = test::random_pairs(3, 5, Seed{6}).form(3);
  expect_error(Errc::usage, "rows that the family was built on",
               [&] { family.best(other, Seed{}, 1); });
}

TEST(HigherSums, SameBytesAsTheScalarLoop) {
  Rng rng(Seed{7});
  const Index rows = 50;
  std::vector<std::int32_t> ranks(static_cast<std::size_t>(rows) * kHigherLanes);
  for (std::int32_t& rank : ranks) {
    rank = static_cast<std::int32_t>(rng.below(rows));
  }
  for (const std::size_t count : {0U, 1U, 2U, 15U, 100U}) {
    std::vector<float> entries(count);
    std::vector<std::int32_t> columns(count);
    for (std::size_t i = 0; i < count; ++i) {
      entries[i] = static_cast<float>(rng.normal());
      columns[i] = static_cast<std::int32_t>(rng.below(rows));
    }
    std::array<float, kHigherLanes> sums{};
    const std::int32_t* own = ranks.data() + 7 * kHigherLanes;
    higher_sums(entries.data(), columns.data(), count, ranks.data(), own, sums.data());
    for (std::size_t lane = 0; lane < kHigherLanes; ++lane) {
      float expected = 0.0F;
      for (std::size_t i = 0; i < count; ++i) {
        const auto row = static_cast<std::size_t>(columns[i]);
        expected += ranks[row * kHigherLanes + lane] > own[lane] ? entries[i] : 0.0F;
      }
      ASSERT_EQ(sums[lane], expected) << count << ' ' << lane;
    }
  }
}

StumpEncoder sample_stumps() {
  return {.inputs = 3, .columns = {2, 0}, .thresholds = {0.5F, -1.0F}};
}

TEST(StumpEncoder, HandWorkedExample) {
  const Matrix<float> x{{0, 9, 0.5F}, {-1, 9, 0.75F}, {-0.5F, 9, -2}};
  EXPECT_EQ(decision_values(sample_stumps(), x, 1),
            (Matrix<float>{{0, 1}, {0.25F, 0}, {-2.5F, 0.5F}}));
  const std::vector<std::uint64_t> expected{0b10, 0b01, 0b10};
  EXPECT_TRUE(std::ranges::equal(encode(sample_stumps(), x, 1).words(), expected));
}

TEST(StumpEncoder, CheckFindsEveryDefect) {
  EXPECT_NO_THROW(sample_stumps().check());
  const auto refused = [](const std::string& words, const auto& change) {
    StumpEncoder encoder = sample_stumps();
    change(encoder);
    expect_error(Errc::usage, words, [&] { encoder.check(); });
  };
  refused("needs stumps", [](StumpEncoder& e) { e = {}; });
  refused("needs stumps", [](StumpEncoder& e) { e.inputs = 0; });
  refused("one threshold per stump", [](StumpEncoder& e) { e.thresholds.pop_back(); });
  refused("does not exist", [](StumpEncoder& e) { e.columns[0] = 3; });
  refused("does not exist", [](StumpEncoder& e) { e.columns[1] = -1; });
  refused("not finite", [](StumpEncoder& e) { e.thresholds[0] = std::nanf(""); });
}

TEST(StumpEncoder, SaveAndLoad) {
  test::expect_safe_in_files(sample_stumps());
}

}  // namespace
}  // namespace structhash
