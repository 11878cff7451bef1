#include "baselines/hcsdh.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/expect_error.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::gaussian_clusters;

TEST(Hcsdh, ClassesAreHalfTheBitsApart) {
  for (const Index bits : {16, 64, 128}) {
    const Matrix<float> codes = hadamard_codes(10, bits, Seed{3});
    const Matrix<float> inner = codes * codes.transpose();
    EXPECT_EQ(inner, to_double(bits) * Matrix<float>::Identity(10, 10)) << bits;
  }
}

/// Rows 1..10 of the matrix of size 64 would repeat 16 columns four times each.
TEST(Hcsdh, NoTwoBitsAreTheSame) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Matrix<float> codes = hadamard_codes(10, 64, Seed{seed});
    std::set<std::vector<float>> columns;
    for (Index bit = 0; bit < 64; ++bit) {
      const Vector<float> column = codes.col(bit);
      columns.insert({column.begin(), column.end()});
    }
    EXPECT_EQ(columns.size(), 64U) << "seed " << seed;
  }
}

TEST(Hcsdh, FewBitsAndManyClassesHaveCodesToo) {
  EXPECT_EQ(hadamard_codes(3, 1, Seed{1}).cols(), 1);
  const Matrix<float> codes = hadamard_codes(100, 7, Seed{1});
  EXPECT_EQ(codes.rows(), 100);
  EXPECT_EQ(codes.cwiseAbs(), Matrix<float>::Ones(100, 7));
}

TEST(Hcsdh, TrainingRowsGetTheCodesOfTheirClasses) {
  const TrainingSet data = gaussian_clusters(Seed{1}, {.clusters = 5, .separation = 20.0});
  const HashModel model = fit_hcsdh(data, {.bits = 32}, {.seed = Seed{2}});
  const CodeMatrix codes = encode(model, data.x, 1);
  const Matrix<float> wanted = hadamard_codes(5, 32, Seed{2}.fork("hadamard"));
  for (Index row = 0; row < codes.rows(); ++row) {
    for (Index bit = 0; bit < 32; ++bit) {
      ASSERT_EQ(codes.bit(row, bit), wanted(row % 5, bit) > 0.0F) << row << ", " << bit;
    }
  }
}

TEST(Hcsdh, NeedsOneClassPerRow) {
  TrainingSet data = gaussian_clusters(Seed{1});
  data.labels.classes.clear();
  data.labels.multi = Matrix<std::uint8_t>::Zero(data.x.rows(), 2);
  data.labels.multi.row(0).setOnes();
  expect_error(Errc::bad_data, "one class per row", [&] { fit_hcsdh(data, {}, {}); });
}

}  // namespace
}  // namespace structhash
