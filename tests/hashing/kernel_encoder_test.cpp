#include "hashing/radial_basis.hpp"
#include "structhash/hashing/encoders.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/expect_error.hpp"
#include "support/model_files.hpp"
#include "support/random_forms.hpp"

namespace structhash {
namespace {

using test::expect_error;

KernelEncoder random_encoder(Index bits, Index anchors, Index dimension, Seed seed) {
  KernelEncoder encoder{.anchors = test::random_matrix(anchors, dimension, seed.fork("anchors")),
                        .gamma = 0.5F / static_cast<float>(dimension),
                        .directions = test::random_matrix(bits, anchors, seed.fork("directions")),
                        .offsets = Vector<float>::Zero(bits)};
  // Directions that sum to zero, as after whitening: values are small differences of large sums.
  encoder.directions.colwise() -= encoder.directions.rowwise().mean().eval();
  return encoder;
}

/// The slow twin: every value in long double, differences before squares.
long double naive_value(const KernelEncoder& encoder, const Matrix<float>& x, Index row,
                        Index bit) {
  long double sum = encoder.offsets(bit);
  for (Index j = 0; j < encoder.anchors.rows(); ++j) {
    long double squared = 0.0L;
    for (Index column = 0; column < x.cols(); ++column) {
      const long double difference =
          static_cast<long double>(x(row, column)) - encoder.anchors(j, column);
      squared += difference * difference;
    }
    sum += static_cast<long double>(encoder.directions(bit, j)) *
           std::exp(-static_cast<long double>(encoder.gamma) * squared);
  }
  return sum;
}

TEST(KernelEncoder, HandWorkedExample) {
  // Anchors 0 and 2 on a line, gamma = ln 2: a response halves with every squared unit.
  const KernelEncoder encoder{.anchors = Matrix<float>{{0}, {2}},
                              .gamma = std::log(2.0F),
                              .directions = Matrix<float>{{1, -1}, {2, 2}},
                              .offsets = Vector<float>{{0, -2}}};
  // x = 0: responses 1, 1/16.  x = 1: 1/2, 1/2.
  const Matrix<float> values = encoder.values(Matrix<float>{{0}, {1}});
  EXPECT_NEAR(values(0, 0), 15.0 / 16.0, 1e-6);
  EXPECT_NEAR(values(0, 1), 2.0 / 16.0, 1e-6);
  EXPECT_NEAR(values(1, 0), 0.0, 1e-6);
  EXPECT_NEAR(values(1, 1), 0.0, 1e-6);
}

TEST(KernelEncoder, SignsAreThoseOfTheExactValues) {
  for (const auto& [bits, anchors, dimension] :
       {std::tuple{3, 1, 1}, {5, 40, 3}, {64, 130, 20}, {20, 300, 300}}) {
    SCOPED_TRACE(dimension);
    const KernelEncoder encoder = random_encoder(bits, anchors, dimension, Seed{1});
    const Matrix<float> x = test::random_matrix(100, dimension, Seed{2});
    const Matrix<float> values = encoder.values(x);
    for (Index row = 0; row < x.rows(); ++row) {
      for (Index bit = 0; bit < bits; ++bit) {
        const long double exact = naive_value(encoder, x, row, bit);
        ASSERT_NEAR(values(row, bit), static_cast<double>(exact), 1e-4);
        ASSERT_EQ(values(row, bit) > 0.0F, exact > 0.0L) << row << ' ' << bit;
      }
    }
  }
}

/// Offsets chosen so that row i lies on the border of bit i up to the rounding of a float: float
/// arithmetic alone gets many of these signs wrong.
TEST(KernelEncoder, SignsAreRightWhereFloatSumsAreNot) {
  const Index rows = 64;
  KernelEncoder encoder = random_encoder(rows, 200, 150, Seed{3});
  const Matrix<float> x = test::random_matrix(rows, 150, Seed{4});
  for (Index i = 0; i < rows; ++i) {
    encoder.offsets(i) = -static_cast<float>(naive_value(encoder, x, i, i));
  }
  const Matrix<float> values = encoder.values(x);
  const Matrix<float> responses = kernel_responses(x, encoder.anchors, encoder.gamma, 1);
  int wrong_in_float = 0;
  for (Index i = 0; i < rows; ++i) {
    const bool exact = naive_value(encoder, x, i, i) > 0.0L;
    EXPECT_EQ(values(i, i) > 0.0F, exact) << i;
    const float rounded = responses.row(i).dot(encoder.directions.row(i)) + encoder.offsets(i);
    wrong_in_float += (rounded > 0.0F) != exact ? 1 : 0;
  }
  EXPECT_GT(wrong_in_float, 5) << "the rows are not hard enough to test anything";
}

TEST(KernelEncoder, SignsDependOnTheRowAlone) {
  KernelEncoder encoder = random_encoder(30, 90, 40, Seed{5});
  const Matrix<float> x = test::random_matrix(300, 40, Seed{6});
  for (Index i = 0; i < 30; ++i) {  // some values on the border
    encoder.offsets(i) = -static_cast<float>(naive_value(encoder, x, 10 * i, i));
  }
  const CodeMatrix codes = encode(encoder, x, 1);
  EXPECT_EQ(encode(encoder, x, 3), codes);
  for (Index row = 0; row < x.rows(); ++row) {
    ASSERT_EQ(encode(encoder, x.middleRows(row, 1), 1).words()[0],
              codes.words()[static_cast<std::size_t>(row)]);
  }
  for (const Index begin : {1, 17, 100}) {
    const CodeMatrix part = encode(encoder, x.middleRows(begin, 113), 1);
    EXPECT_TRUE(std::ranges::equal(part.words(),
                                   codes.words().subspan(static_cast<std::size_t>(begin), 113)));
  }
}

/// Exactly zero in exact arithmetic: never > 0, whatever the rounding.
TEST(KernelEncoder, ValuesThatCancelExactly) {
  KernelEncoder encoder = random_encoder(1, 2, 7, Seed{7});
  encoder.anchors.row(1) = encoder.anchors.row(0);
  encoder.directions << 0.7F, -0.7F;
  const Matrix<float> values = encoder.values(test::random_matrix(50, 7, Seed{8}));
  EXPECT_TRUE((values.array() == 0.0F).all());
}

TEST(KernelEncoder, ExtremeMagnitudes) {
  const float large = 3e38F;
  const KernelEncoder encoder{.anchors = Matrix<float>{{0, 0}, {large, large}},
                              .gamma = 1.0F,
                              .directions = Matrix<float>{{1, 1}, {large, -large}},
                              .offsets = Vector<float>{{-0.5F, 0}}};
  // At an anchor its response is 1 and the other's 0; far from both, both vanish.
  const Matrix<float> x{{0, 0}, {large, large}, {-large, large}, {1e-30F, 1e-30F}};
  const std::vector<std::uint64_t> expected{0b11, 0b01, 0b00, 0b11};
  EXPECT_TRUE(std::ranges::equal(encode(encoder, x, 1).words(), expected));
  EXPECT_TRUE(encoder.values(x).allFinite());
}

TEST(KernelEncoder, CheckFindsEveryDefect) {
  const KernelEncoder good = random_encoder(3, 4, 2, Seed{9});
  EXPECT_NO_THROW(good.check());
  const auto refused = [&](const std::string& words, const auto& change) {
    KernelEncoder encoder = good;
    change(encoder);
    expect_error(Errc::usage, words, [&] { encoder.check(); });
  };
  refused("needs directions", [](KernelEncoder& e) { e = {}; });
  refused("one coefficient per anchor", [](KernelEncoder& e) { e.anchors.resize(5, 2); });
  refused("one coefficient per anchor", [](KernelEncoder& e) { e.offsets.resize(2); });
  refused("not finite", [](KernelEncoder& e) { e.anchors(0, 0) = std::nanf(""); });
  refused("not finite", [](KernelEncoder& e) { e.directions(0, 0) = std::nanf(""); });
  refused("not finite", [](KernelEncoder& e) { e.offsets(0) = std::nanf(""); });
  refused("not positive", [](KernelEncoder& e) { e.gamma = 0.0F; });
  refused("not positive",
          [](KernelEncoder& e) { e.gamma = std::numeric_limits<float>::infinity(); });
}

TEST(KernelEncoder, SaveAndLoad) {
  test::expect_safe_in_files(random_encoder(3, 4, 2, Seed{10}));
}

TEST(KernelResponses, ThreadsChangeNothing) {
  const Matrix<float> x = test::random_matrix(700, 200, Seed{11});
  const Matrix<float> anchors = test::random_matrix(50, 200, Seed{12});
  const Matrix<float> one = kernel_responses(x, anchors, 0.01, 1);
  EXPECT_EQ(one, kernel_responses(x, anchors, 0.01, 2));
  EXPECT_EQ(one, kernel_responses(x, anchors, 0.01, 4));
}

}  // namespace
}  // namespace structhash
