#include "structhash/hashing/encoders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/expect_error.hpp"
#include "support/model_files.hpp"
#include "support/random_forms.hpp"

namespace structhash {
namespace {

using test::expect_error;

/// Bit 0: a zigzag 1, -1, 1 over [0, 4] of x + y.  Bit 1: rises from -1 to 1 over [-1, 1] of x.
CurveEncoder sample_curves() {
  return {.directions = Matrix<float>{{1, 1}, {1, 0}},
          .offsets = Vector<float>{{0, 0}},
          .low = Vector<float>{{0, -1}},
          .high = Vector<float>{{4, 1}},
          .components = {0, 1},
          .first_knot = {0, 3, 5},
          .knots = {1, -1, 1, -1, 1}};
}

TEST(CurveEncoder, HandWorkedExample) {
  // Projections (0, 0), (1.5, 0.5), (3, 1) and, beyond both ranges, (9, 5) and (-9, -5).
  const Matrix<float> x{{0, 0}, {0.5F, 1}, {1, 2}, {5, 4}, {-5, -4}};
  EXPECT_EQ(sample_curves().values(x),
            (Matrix<float>{{1, 0}, {-0.5F, 0.5F}, {0, 1}, {1, 1}, {1, -1}}));
}

TEST(CurveEncoder, AgreesWithLongDouble) {
  const Index dimension = 40;
  const Matrix<float> x = test::random_matrix(60, dimension, Seed{1});
  CurveEncoder encoder{.directions = test::random_matrix(5, dimension, Seed{2}),
                       .offsets = test::random_matrix(5, 1, Seed{3}),
                       .low = Vector<float>::Constant(5, -6.0F),
                       .high = Vector<float>::Constant(5, 7.0F),
                       .components = {},
                       .first_knot = {0},
                       .knots = {}};
  const Matrix<float> knots = test::random_matrix(12, 9, Seed{4});
  for (Index bit = 0; bit < 12; ++bit) {
    encoder.components.push_back(static_cast<std::int32_t>(bit % 5));
    encoder.knots.insert(encoder.knots.end(), knots.row(bit).begin(), knots.row(bit).end());
    encoder.first_knot.push_back(std::ssize(encoder.knots));
  }
  const Matrix<float> values = encoder.values(x);
  for (Index row = 0; row < x.rows(); ++row) {
    for (Index bit = 0; bit < 12; ++bit) {
      long double t = encoder.offsets(bit % 5);
      for (Index column = 0; column < dimension; ++column) {
        t += static_cast<long double>(encoder.directions(bit % 5, column)) * x(row, column);
      }
      const long double u = std::clamp((t + 6.0L) / 13.0L, 0.0L, 1.0L) * 8.0L;
      const Index j = std::min<Index>(static_cast<Index>(u), 7);
      const long double expected =
          knots(bit, j) + (u - static_cast<long double>(j)) *
                              (static_cast<long double>(knots(bit, j + 1)) - knots(bit, j));
      ASSERT_NEAR(values(row, bit), static_cast<double>(expected), 1e-6);
      ASSERT_EQ(values(row, bit) > 0.0F, expected > 0.0L);
    }
  }
}

TEST(CurveEncoder, CheckFindsEveryDefect) {
  EXPECT_NO_THROW(sample_curves().check());
  const auto refused = [&](const std::string& words, const auto& change) {
    CurveEncoder encoder = sample_curves();
    change(encoder);
    expect_error(Errc::usage, words, [&] { encoder.check(); });
  };
  refused("needs directions", [](CurveEncoder& e) { e = {}; });
  refused("one offset and one range", [](CurveEncoder& e) { e.offsets.resize(1); });
  refused("one offset and one range", [](CurveEncoder& e) { e.low.resize(1); });
  refused("one offset and one range", [](CurveEncoder& e) { e.high.resize(1); });
  refused("direction that does not exist", [](CurveEncoder& e) { e.components[0] = 2; });
  refused("direction that does not exist", [](CurveEncoder& e) { e.components[0] = -1; });
  refused("two knots", [](CurveEncoder& e) { e.first_knot = {0, 4, 5}; });
  refused("two knots", [](CurveEncoder& e) { e.first_knot = {0, 3}; });
  refused("two knots", [](CurveEncoder& e) { e.first_knot = {0, 3, 6}; });
  refused("two knots", [](CurveEncoder& e) { e.first_knot = {0, 6, 5}; });
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  refused("two knots", [&](CurveEncoder& e) { e.first_knot = {0, largest, 5}; });
  refused("not finite", [](CurveEncoder& e) { e.knots[1] = std::nanf(""); });
  refused("not finite", [](CurveEncoder& e) { e.directions(0, 0) = std::nanf(""); });
  refused("range of a curve encoder is empty", [](CurveEncoder& e) { e.high(1) = -1.0F; });
}

TEST(CurveEncoder, SaveAndLoad) {
  test::expect_safe_in_files(sample_curves());
}

}  // namespace
}  // namespace structhash
