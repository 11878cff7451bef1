#include "hashing/adaptive.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "structhash/core/rng.hpp"
#include "structhash/hashing/model.hpp"
#include "support/expect_error.hpp"

namespace structhash {
namespace {

using test::expect_error;

constexpr Index kBits = 70;
constexpr Index kColumns = 9;

Matrix<float> normal_matrix(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(Seed{seed});
  return Matrix<float>::NullaryExpr(rows, columns,
                                    [&] { return static_cast<float>(rng.normal()); });
}

Encoder linear_encoder() {
  return LinearEncoder{.directions = normal_matrix(kBits, kColumns, 1),
                       .offsets = normal_matrix(kBits, 1, 2)};
}

Encoder kernel_encoder() {
  return KernelEncoder{.anchors = normal_matrix(30, kColumns, 3),
                       .gamma = 0.1F,
                       .directions = normal_matrix(kBits, 30, 4),
                       .offsets = normal_matrix(kBits, 1, 5)};
}

HashModel adaptive_model(Encoder encoder, bool weights) {
  HashModel model{.method = "sample", .encoder = std::move(encoder)};
  for (Index bit = 0; bit < kBits; ++bit) {
    model.mean_magnitudes.push_back(0.5F + 0.01F * static_cast<float>(bit));
    if (weights) {
      model.bit_weights.push_back(0.1F * static_cast<float>(bit % 7));
    }
  }
  return model;
}

/// sign(f) sqrt(w) tanh(3 |f| / mean |f|), value by value.
TEST(AdaptiveValues, EqualTheFormula) {
  const Matrix<float> x = normal_matrix(300, kColumns, 6);
  for (const Encoder& encoder : {linear_encoder(), kernel_encoder()}) {
    for (const bool weights : {false, true}) {
      const HashModel model = adaptive_model(encoder, weights);
      const Matrix<float> f = decision_values(encoder, x, 1);
      const Matrix<float> values = adaptive_values(model, x, 2);
      ASSERT_EQ(values.rows(), x.rows());
      for (Index row = 0; row < x.rows(); ++row) {
        for (Index bit = 0; bit < kBits; ++bit) {
          const auto b = static_cast<std::size_t>(bit);
          const double weight = weights ? model.bit_weights[b] : 1.0;
          const double size =
              std::sqrt(weight) * std::tanh(3.0 * std::abs(f(row, bit)) / model.mean_magnitudes[b]);
          ASSERT_NEAR(values(row, bit), f(row, bit) > 0.0F ? size : -size, 1e-5);
        }
      }
    }
  }
}

/// The signs are the code, and a row does not depend on its batch, bit for bit.
TEST(AdaptiveValues, DependOnTheirRowAlone) {
  const Matrix<float> x = normal_matrix(260, kColumns, 7);
  for (const Encoder& encoder : {linear_encoder(), kernel_encoder()}) {
    const HashModel model = adaptive_model(encoder, false);
    const Matrix<float> values = adaptive_values(model, x, 2);
    const CodeMatrix codes = encode(model, x, 2);
    for (Index row = 0; row < x.rows(); ++row) {
      EXPECT_EQ(adaptive_values(model, x.middleRows(row, 1), 1), values.middleRows(row, 1));
      for (Index bit = 0; bit < kBits; ++bit) {
        EXPECT_EQ(values(row, bit) > 0.0F, codes.bit(row, bit));
      }
    }
  }
}

TEST(AdaptiveValues, AFunctionWithoutScaleCountsInFull) {
  HashModel model = adaptive_model(linear_encoder(), false);
  model.mean_magnitudes.assign(kBits, 0.0F);
  EXPECT_TRUE((adaptive_values(model, normal_matrix(4, kColumns, 8), 1).array().abs() == 1).all());
}

TEST(AdaptiveValues, ModelsWithoutThemSayWhy) {
  const Matrix<float> x = normal_matrix(2, kColumns, 9);
  HashModel old = adaptive_model(linear_encoder(), true);
  old.mean_magnitudes.clear();
  expect_error(Errc::usage, "does not hold the mean magnitudes",
               [&] { adaptive_values(old, x, 1); });
  const HashModel stump{
      .method = "structhash",
      .encoder = StumpEncoder{.inputs = kColumns, .columns = {1}, .thresholds = {0.0F}}};
  expect_error(Errc::usage, "functions of kind stump", [&] { adaptive_values(stump, x, 1); });
  expect_error(Errc::bad_data, "columns",
               [&] { adaptive_values(adaptive_model(linear_encoder(), false), x.leftCols(3), 1); });
}

TEST(MeanMagnitudes, AreMeansOverEvenlySpacedRows) {
  const Matrix<float> x = normal_matrix(2'500, kColumns, 10);
  for (const Encoder& encoder : {linear_encoder(), kernel_encoder()}) {
    const std::vector<float> means = mean_magnitudes(encoder, x, Shards(x.rows()), 2);
    const Matrix<float> f = decision_values(encoder, x, 1);
    ASSERT_EQ(std::ssize(means), kBits);
    for (Index bit = 0; bit < kBits; ++bit) {
      double sum = 0.0;
      Index count = 0;
      for (Index row = 0; row < x.rows(); row += 10, ++count) {
        sum += std::abs(f(row, bit));
      }
      EXPECT_NEAR(means[static_cast<std::size_t>(bit)], sum / to_double(count), 1e-5);
    }
    EXPECT_EQ(means, mean_magnitudes(encoder, x, Shards(x.rows()), 1));
  }
}

}  // namespace
}  // namespace structhash
