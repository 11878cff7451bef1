// Encoding by the kernels of every instruction set against values computed one by one.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <limits>

#include "hashing/kernel_signs.hpp"
#include "structhash/hashing/encoder.hpp"
#include "support/random_forms.hpp"

namespace structhash {
namespace {

CodeMatrix signs_of_values(const Encoder& encoder, const Matrix<float>& x) {
  const Matrix<float> values = decision_values(encoder, x, 1);
  CodeMatrix codes(x.rows(), values.cols());
  for (Index row = 0; row < x.rows(); ++row) {
    for (Index bit = 0; bit < values.cols(); ++bit) {
      codes.set(row, bit, values(row, bit) > 0.0F);
    }
  }
  return codes;
}

void expect_same_on_every_target(const Encoder& encoder, const Matrix<float>& x) {
  const CodeMatrix expected = signs_of_values(encoder, x);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    EXPECT_EQ(encode(encoder, x, 1), expected) << hwy::TargetName(target);
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
  EXPECT_EQ(encode(encoder, x, 3), expected);
}

/// Rows from nearly parallel to the hyperplanes to far from them: many uncertain signs.
Matrix<float> hard_rows(Index rows, const Matrix<float>& directions, Seed seed) {
  Matrix<float> x = test::random_matrix(rows, directions.cols(), seed);
  for (Index row = 0; row < rows; row += 2) {
    const auto direction = directions.row(row % directions.rows());
    const float along = x.row(row).dot(direction) / direction.squaredNorm();
    x.row(row) -= along * direction;
  }
  return x;
}

TEST(PackedDirections, CodesAreSignsOfTheValues) {
  for (const Index bits : {1, 16, 31, 33, 64, 65, 130}) {
    for (const Index dimension : {1, 15, 16, 17, 300}) {
      for (const Index rows : {0, 1, 5, 6, 7, 500}) {
        SCOPED_TRACE(testing::Message() << bits << ' ' << dimension << ' ' << rows);
        const LinearEncoder encoder{.directions = test::random_matrix(bits, dimension, Seed{1}),
                                    .offsets = Vector<float>::Zero(bits)};
        expect_same_on_every_target(encoder, hard_rows(rows, encoder.directions, Seed{2}));
      }
    }
  }
}

TEST(PackedDirections, HugeTinyAndZeroRows) {
  const LinearEncoder encoder{.directions = test::random_matrix(70, 40, Seed{3}),
                              .offsets = test::random_matrix(70, 1, Seed{4})};
  Matrix<float> x = test::random_matrix(12, 40, Seed{5});
  x.row(0) *= 1e37F;
  x.row(1).setConstant(std::numeric_limits<float>::max());
  x.row(2) *= 1e-38F;
  x.row(3).setZero();
  expect_same_on_every_target(encoder, x);
}

/// A view into a wider matrix: rows are further apart than they are long.
TEST(PackedDirections, RowsMayBePartsOfLongerOnes) {
  const LinearEncoder encoder{.directions = test::random_matrix(64, 20, Seed{6}),
                              .offsets = test::random_matrix(64, 1, Seed{7})};
  const Matrix<float> wide = test::random_matrix(50, 33, Seed{8});
  EXPECT_EQ(encode(encoder, wide.middleCols(5, 20), 1),
            encode(encoder, Matrix<float>(wide.middleCols(5, 20)), 1));
}

TEST(PackedKernel, CodesAreSignsOfTheValues) {
  for (const Index bits : {1, 33, 64, 100}) {
    for (const Index anchors : {1, 16, 63, 65, 130}) {
      for (const Index dimension : {1, 17, 129, 300}) {
        SCOPED_TRACE(testing::Message() << bits << ' ' << anchors << ' ' << dimension);
        KernelEncoder encoder{.anchors = test::random_matrix(anchors, dimension, Seed{1}),
                              .gamma = 0.5F / static_cast<float>(dimension),
                              .directions = test::random_matrix(bits, anchors, Seed{2}),
                              .offsets = test::random_matrix(bits, 1, Seed{3}) * 0.1F};
        // Directions that sum to zero: values are small differences of large sums.
        encoder.directions.colwise() -= encoder.directions.rowwise().mean().eval();
        expect_same_on_every_target(encoder, test::random_matrix(61, dimension, Seed{4}));
      }
    }
  }
}

TEST(PackedKernel, FarRowsAndHugeRows) {
  const KernelEncoder encoder{.anchors = test::random_matrix(20, 10, Seed{1}),
                              .gamma = 3.0F,
                              .directions = test::random_matrix(30, 20, Seed{2}),
                              .offsets = Vector<float>::Zero(30)};
  Matrix<float> x = test::random_matrix(10, 10, Seed{5});
  x.row(0) *= 100.0F;  // every response vanishes
  x.row(1) *= 1e30F;   // squares overflow
  x.row(2).setZero();
  expect_same_on_every_target(encoder, x);
}

TEST(PackedKernel, ValuesAreThoseOfTheEncoderAndOfTheirRowAlone) {
  const KernelEncoder encoder{.anchors = test::random_matrix(130, 40, Seed{1}),
                              .gamma = 0.02F,
                              .directions = test::random_matrix(70, 130, Seed{2}),
                              .offsets = test::random_matrix(70, 1, Seed{3})};
  Matrix<float> x = test::random_matrix(20, 40, Seed{4});
  x.row(7) *= 1e30F;  // squares overflow
  const PackedKernel packed(encoder);
  const Matrix<float> values = packed.values(x);
  EXPECT_LT((values - encoder.values(x)).cwiseAbs().maxCoeff(), 1e-4F);
  for (Index row = 0; row < x.rows(); ++row) {
    EXPECT_EQ(values.row(row), packed.values(x.middleRows(row, 1)));
  }
}

}  // namespace
}  // namespace structhash
