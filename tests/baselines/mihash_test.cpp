#include "baselines/mihash.hpp"

#include <gtest/gtest.h>

#include "structhash/core/rng.hpp"

namespace structhash {
namespace {

Matrix<float> two_classes(Index rows) {
  Matrix<float> related(rows, rows);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < rows; ++j) {
      related(i, j) = i % 2 == j % 2 ? 1.0F : -1.0F;
    }
  }
  return related;
}

/// Distance 0 within a class, all bits between: the distance says everything.  Of the 5 others 2
/// are related, so I = H(2/5) = 0.97095 bits.
TEST(Mihash, PerfectCodesTellEverything) {
  Matrix<float> phi(6, 8);
  for (Index row = 0; row < 6; ++row) {
    phi.row(row).setConstant(row % 2 == 0 ? 1.0F : -1.0F);
  }
  Matrix<float> gradient;
  EXPECT_NEAR(mutual_information(phi, two_classes(6), 4, gradient), 0.970951, 1e-5);
  phi.setOnes();  // equal codes tell nothing
  EXPECT_NEAR(mutual_information(phi, two_classes(6), 4, gradient), 0.0, 1e-9);
}

TEST(Mihash, GradientIsThatOfTheInformation) {
  Rng rng(Seed{2});
  Matrix<float> phi(30, 6);
  for (float& value : phi.reshaped()) {
    value = static_cast<float>(2.0 * rng.uniform() - 1.0);
  }
  Matrix<float> gradient;
  Matrix<float> ignored;
  mutual_information(phi, two_classes(30), 3, gradient);
  for (Index i = 0; i < 30; i += 7) {
    for (Index b = 0; b < 6; ++b) {
      const float step = 2e-3F;
      Matrix<float> up = phi;
      Matrix<float> down = phi;
      up(i, b) += step;
      down(i, b) -= step;
      const double slope = (mutual_information(up, two_classes(30), 3, ignored) -
                            mutual_information(down, two_classes(30), 3, ignored)) /
                           (2.0 * static_cast<double>(step));
      EXPECT_NEAR(static_cast<double>(gradient(i, b)), slope, 2e-3) << i << ", " << b;
    }
  }
}

TEST(Mihash, RowsWithoutBothKindsAreLeftOut) {
  const Matrix<float> phi = Matrix<float>::Constant(4, 3, 0.5F);
  Matrix<float> gradient;
  EXPECT_EQ(mutual_information(phi, Matrix<float>::Ones(4, 4), 2, gradient), 0.0);
  EXPECT_EQ(gradient, (Matrix<float>::Zero(4, 3)));
}

}  // namespace
}  // namespace structhash
