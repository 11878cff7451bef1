#include "baselines/sph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/expect_error.hpp"
#include "support/random_forms.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;

/// A box of 4 x 1: frequencies k/4 along the long side and k/1 along the short one.
TrainingSet box() {
  TrainingSet data{.x = Matrix<float>(405, 3), .labels = {}, .lists = {}};
  for (Index i = 0; i < 81; ++i) {
    for (Index j = 0; j < 5; ++j) {
      data.x.row(5 * i + j) << 0.05F * static_cast<float>(i), 0.25F * static_cast<float>(j), 7.0F;
    }
  }
  return data;
}

TEST(Sph, TakesTheLowestFrequencies) {
  const HashModel model = fit_sph(box(), {.bits = 5}, {});
  const auto& encoder = std::get<CurveEncoder>(model.encoder);
  EXPECT_EQ(encoder.directions.rows(), 2) << "the constant column makes no component";
  // 1/4, 2/4, 3/4, then 4/4 along the long side before the first of the short one.
  EXPECT_EQ(encoder.components, (std::vector<std::int32_t>{0, 0, 0, 0, 1}));
  EXPECT_EQ(encoder.first_knot, (std::vector<std::int64_t>{0, 2, 5, 9, 14, 16}));
}

TEST(Sph, BitsAreSignsOfCosines) {
  const TrainingSet data = box();
  const HashModel model = fit_sph(data, {.bits = 4}, {});
  const CodeMatrix codes = encode(model, data.x, 1);
  for (Index row = 0; row < data.x.rows(); ++row) {
    for (Index bit = 0; bit < 4; ++bit) {
      const double phase = std::numbers::pi * to_double(bit + 1) * data.x(row, 0) / 4.0;
      const double from_left = std::cos(phase);
      const double from_right = std::cos(std::numbers::pi * to_double(bit + 1) - phase);
      if (std::abs(from_left) > 1e-3) {  // the axis may point either way
        const bool expected = std::get<CurveEncoder>(model.encoder).directions(0, 0) > 0.0F
                                  ? from_left > 0.0
                                  : from_right > 0.0;
        ASSERT_EQ(codes.bit(row, bit), expected) << row << ' ' << bit;
      }
    }
  }
}

TEST(Sph, QueriesOutsideTheRangeAreCut) {
  const HashModel model = fit_sph(box(), {.bits = 4}, {});
  const Matrix<float> x{{4.0F, 0.5F, 7.0F}, {5.0F, 0.5F, 7.0F}, {400.0F, 0.5F, 7.0F}};
  const CodeMatrix codes = encode(model, x, 1);
  EXPECT_EQ(codes.words()[1], codes.words()[0]);
  EXPECT_EQ(codes.words()[2], codes.words()[0]);
}

TEST(Sph, RefusesRowsThatAreAllEqual) {
  const TrainingSet data{.x = Matrix<float>::Constant(5, 3, 2.0F), .labels = {}, .lists = {}};
  expect_error(Errc::bad_data, "all training rows are (nearly) equal",
               [&] { fit_sph(data, {.bits = 4}, {}); });
}

}  // namespace
}  // namespace structhash
