#include "structhash/hashing/encoders.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.hpp"
#include "support/model_files.hpp"
#include "support/random_forms.hpp"

namespace structhash {
namespace {

using test::expect_error;

BallEncoder sample_balls() {
  return {.centres = Matrix<float>{{0, 0}, {3, 4}}, .squared_radii = Vector<float>{{1, 25}}};
}

TEST(BallEncoder, HandWorkedExample) {
  // (0, 0): distances 0 and 5, the border of the second ball.  (3, 3): squared 18 and 1.
  const Matrix<float> x{{0, 0}, {3, 3}, {0.5F, 0}};
  EXPECT_EQ(sample_balls().values(x), (Matrix<float>{{1, 0}, {-17, 24}, {0.75F, 2.75F}}));
}

/// Rows on the border of ball i up to the rounding of a float.
TEST(BallEncoder, SignsAreThoseOfTheExactValues) {
  const Matrix<float> x = test::random_matrix(50, 300, Seed{1});
  BallEncoder encoder{.centres = test::random_matrix(50, 300, Seed{2}), .squared_radii = {}};
  encoder.squared_radii = (x - encoder.centres).rowwise().squaredNorm();
  const Matrix<float> values = encoder.values(x);
  for (Index row = 0; row < 50; ++row) {
    for (Index bit = 0; bit < 50; ++bit) {
      long double exact = encoder.squared_radii(bit);
      for (Index column = 0; column < x.cols(); ++column) {
        const long double difference =
            static_cast<long double>(x(row, column)) - encoder.centres(bit, column);
        exact -= difference * difference;
      }
      ASSERT_EQ(values(row, bit) > 0.0F, exact > 0.0L) << row << ' ' << bit;
    }
  }
  EXPECT_EQ(encoder.values(x.middleRows(7, 1)), values.row(7));
}

TEST(BallEncoder, ExtremeMagnitudes) {
  const float large = 3e38F;  // its square is no float
  const BallEncoder encoder{.centres = Matrix<float>{{0, 0}, {1e19F, 1e19F}},
                            .squared_radii = Vector<float>{{1, 1e38F}}};
  const Matrix<float> x{{0, 0}, {1e19F, 1e19F}, {-large, large}};
  const std::vector<std::uint64_t> expected{0b01, 0b10, 0b00};
  EXPECT_TRUE(std::ranges::equal(encode(encoder, x, 1).words(), expected));
  EXPECT_TRUE(encoder.values(x).allFinite());
}

TEST(BallEncoder, CheckFindsEveryDefect) {
  EXPECT_NO_THROW(sample_balls().check());
  expect_error(Errc::usage, "needs centres", [] { BallEncoder{}.check(); });
  BallEncoder bad = sample_balls();
  bad.squared_radii.resize(1);
  expect_error(Errc::usage, "one radius per centre", [&] { bad.check(); });
  bad = sample_balls();
  bad.squared_radii(0) = -1.0F;
  expect_error(Errc::usage, "negative squared radius", [&] { bad.check(); });
  bad = sample_balls();
  bad.centres(0, 0) = std::nanf("");
  expect_error(Errc::usage, "not finite", [&] { bad.check(); });
}

TEST(BallEncoder, SaveAndLoad) {
  test::expect_safe_in_files(sample_balls());
}

}  // namespace
}  // namespace structhash
