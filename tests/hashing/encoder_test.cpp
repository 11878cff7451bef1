#include "structhash/hashing/encoder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "structhash/core/rng.hpp"
#include "structhash/hashing/model.hpp"
#include "support/expect_error.hpp"

namespace structhash {
namespace {

using test::expect_error;

Matrix<float> random_matrix(Index rows, Index cols, Seed seed) {
  Rng rng(seed);
  return Matrix<float>::NullaryExpr(rows, cols, [&] { return static_cast<float>(rng.normal()); });
}

LinearEncoder random_encoder(Index bits, Index dimension) {
  return {.directions = random_matrix(bits, dimension, Seed{1}),
          .offsets = random_matrix(bits, 1, Seed{2})};
}

/// The slow twin: every value in long double.
long double naive_value(const LinearEncoder& encoder, const Matrix<float>& x, Index row,
                        Index bit) {
  long double sum = encoder.offsets(bit);
  for (Index column = 0; column < x.cols(); ++column) {
    sum += static_cast<long double>(encoder.directions(bit, column)) * x(row, column);
  }
  return sum;
}

TEST(LinearEncoder, HandWorkedExample) {
  // bit 0: x - y > 0; bit 1: 2x + y - 1 > 0; bit 2: the zero direction, offset 0: never > 0.
  const LinearEncoder encoder{.directions = Matrix<float>{{1, -1}, {2, 1}, {0, 0}},
                              .offsets = Vector<float>{{0, -1, 0}}};
  const Matrix<float> x{{1, 0}, {0, 1}, {0.5F, 0.5F}, {0, 0}};
  EXPECT_EQ(decision_values(encoder, x, 1),
            (Matrix<float>{{1, 1, 0}, {-1, 0, 0}, {0, 0.5F, 0}, {0, -1, 0}}));
  const CodeMatrix codes = encode(encoder, x, 1);
  const std::vector<std::uint64_t> expected{0b011, 0b000, 0b010, 0b000};
  EXPECT_TRUE(std::ranges::equal(codes.words(), expected));
}

TEST(LinearEncoder, BitsAreSignsOfTheExactValues) {
  for (const auto& [bits, dimension] : {std::pair{1, 1}, {7, 3}, {64, 100}, {65, 31}, {130, 784}}) {
    SCOPED_TRACE(bits);
    const LinearEncoder encoder = random_encoder(bits, dimension);
    const Matrix<float> x = random_matrix(300, dimension, Seed{3});
    const Matrix<float> values = decision_values(encoder, x, 1);
    const CodeMatrix codes = encode(encoder, x, 1);
    for (Index row = 0; row < x.rows(); ++row) {
      for (Index bit = 0; bit < bits; ++bit) {
        const long double exact = naive_value(encoder, x, row, bit);
        ASSERT_NEAR(values(row, bit), static_cast<double>(exact), 1e-3);
        ASSERT_EQ(codes.bit(row, bit), exact > 0.0L) << row << ' ' << bit;
        ASSERT_EQ(codes.bit(row, bit), values(row, bit) > 0.0F);
      }
    }
  }
}

/// Rows for which the sum cancels: float products alone get many of these signs wrong.
TEST(LinearEncoder, BitsAreRightWhereFloatSumsAreNot) {
  const Index dimension = 500;
  const LinearEncoder encoder = random_encoder(64, dimension);
  Matrix<float> x = random_matrix(64, dimension, Seed{4});
  for (Index row = 0; row < x.rows(); ++row) {  // move row i onto hyperplane i
    const auto direction = encoder.directions.row(row).cast<double>();
    const auto excess = static_cast<double>(naive_value(encoder, x, row, row));
    x.row(row) -= (excess / direction.squaredNorm() * direction).cast<float>();
  }
  int wrong_in_float = 0;
  const CodeMatrix codes = encode(encoder, x, 1);
  for (Index row = 0; row < x.rows(); ++row) {
    const bool exact = naive_value(encoder, x, row, row) > 0.0L;
    EXPECT_EQ(codes.bit(row, row), exact) << row;
    float sum = 0.0F;
    for (Index column = 0; column < dimension; ++column) {
      sum += encoder.directions(row, column) * x(row, column);
    }
    wrong_in_float += (sum + encoder.offsets(row) > 0.0F) != exact ? 1 : 0;
  }
  EXPECT_GT(wrong_in_float, 5) << "the rows are not hard enough to test anything";
}

TEST(LinearEncoder, ExtremeMagnitudes) {
  const float large = 3e38F;
  const float small = 1e-30F;
  // In float the first sums overflow to infinity or NaN and the others vanish.
  const LinearEncoder encoder{
      .directions = Matrix<float>{{large, large}, {large, -large}, {small, small}},
      .offsets = Vector<float>{{0, 0, 0}}};
  const Matrix<float> x{{large, -1e38F}, {1e38F, large}, {small, -small}, {small, 2 * small}};
  const CodeMatrix codes = encode(encoder, x, 1);
  const std::vector<std::uint64_t> expected{0b111, 0b101, 0b010, 0b101};
  EXPECT_TRUE(std::ranges::equal(codes.words(), expected));
}

TEST(Encode, ThreadsAndBatchesChangeNothing) {
  const Encoder encoder = random_encoder(70, 50);
  const Matrix<float> x = random_matrix(1'000, 50, Seed{5});
  const CodeMatrix codes = encode(encoder, x, 1);
  EXPECT_EQ(encode(encoder, x, 3), codes);
  EXPECT_EQ(decision_values(encoder, x, 3), decision_values(encoder, x, 1));
  for (const Index begin : {0, 1, 255, 256, 700}) {
    const CodeMatrix part = encode(encoder, x.middleRows(begin, 300), 1);
    EXPECT_TRUE(std::ranges::equal(
        part.words(), codes.words().subspan(static_cast<std::size_t>(begin) * 2, 600)));
  }
}

TEST(Encode, NamesTheFirstValueThatIsNotFinite) {
  const HashModel model{.method = "sample", .encoder = random_encoder(3, 4)};
  Matrix<float> x = Matrix<float>::Constant(5'000, 4, 3e38F);  // finite, its square is not
  EXPECT_EQ(encode(model, x, 2).rows(), 5'000);
  x(4'999, 0) = std::nanf("");
  x(3'000, 2) = std::numeric_limits<float>::infinity();
  for (const int threads : {1, 2}) {
    expect_error(Errc::bad_data, "features: row 3001, column 3 is inf",
                 [&] { encode(model, x, threads); });
  }
}

TEST(Encode, TakesStridedViews) {
  const Encoder encoder = random_encoder(9, 4);
  const Matrix<float> wide = random_matrix(20, 10, Seed{6});
  EXPECT_EQ(encode(encoder, wide.middleCols(3, 4), 1),
            encode(encoder, Matrix<float>(wide.middleCols(3, 4)), 1));
}

TEST(LinearEncoder, CheckFindsEveryDefect) {
  const LinearEncoder good = random_encoder(3, 2);
  EXPECT_NO_THROW(good.check());
  expect_error(Errc::usage, "needs directions", [] { LinearEncoder{}.check(); });
  LinearEncoder bad = good;
  bad.offsets.resize(2);
  expect_error(Errc::usage, "one offset per direction", [&] { bad.check(); });
  bad = good;
  bad.directions(1, 1) = std::nanf("");
  expect_error(Errc::usage, "not finite", [&] { bad.check(); });
  bad = good;
  bad.offsets(1) = std::numeric_limits<float>::infinity();
  expect_error(Errc::usage, "not finite", [&] { bad.check(); });
}

TEST(LinearEncoder, ComparesSizesAndNumbers) {
  const LinearEncoder encoder = random_encoder(3, 2);
  EXPECT_EQ(encoder, random_encoder(3, 2));
  EXPECT_NE(encoder, random_encoder(4, 2));
  EXPECT_NE(encoder, random_encoder(3, 4));
  LinearEncoder other = encoder;
  other.offsets(0) += 1.0F;
  EXPECT_NE(encoder, other);
}

}  // namespace
}  // namespace structhash
