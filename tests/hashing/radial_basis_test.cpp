#include "hashing/radial_basis.hpp"

#include <gtest/gtest.h>

#include "support/random_forms.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

TEST(RadialBasis, FewRowsPerAnchorGiveRowsAsAnchors) {
  const Matrix<float> x = test::random_matrix(39, 5, Seed{1});
  const RadialBasis basis = draw_radial_basis(x, Shards(39), 10, 1.0, Seed{2}, 1);
  ASSERT_EQ(basis.anchors.rows(), 10);
  for (Index anchor = 0; anchor < 10; ++anchor) {
    EXPECT_EQ((x.rowwise() - basis.anchors.row(anchor)).rowwise().squaredNorm().minCoeff(), 0.0F);
  }
}

/// Rows around ten far centres: ten anchors that are random rows leave the noise of one row in
/// each, and miss some centres; the means of clusters average it.
TEST(RadialBasis, ManyRowsPerAnchorGiveCentresThatCoverTheRowsBetter) {
  const TrainingSet data = test::gaussian_clusters(
      Seed{3}, {.clusters = 10, .rows_per_cluster = 40, .separation = 10.0, .lists = false});
  const Shards rows(data.x.rows());
  const auto mean_distance = [&](const Matrix<float>& anchors) {
    double sum = 0.0;
    for (Index row = 0; row < data.x.rows(); ++row) {
      sum += static_cast<double>(
          (anchors.rowwise() - data.x.row(row)).rowwise().squaredNorm().minCoeff());
    }
    return sum / to_double(data.x.rows());
  };
  const RadialBasis basis = draw_radial_basis(data.x, rows, 10, 1.0, Seed{4}, 1);
  EXPECT_LT(mean_distance(basis.anchors),
            0.9 * mean_distance(random_rows(data.x, rows, 10, Seed{4})));
}

TEST(RadialBasis, IsTheSameForAnyNumberOfThreadsAndShards) {
  const Matrix<float> x = test::random_matrix(3000, 7, Seed{1});
  const RadialBasis one = draw_radial_basis(x, Shards(3000), 20, 0.5, Seed{2}, 1);
  const RadialBasis many =
      draw_radial_basis(x, Shards({1000, 700, 1300}, nullptr), 20, 0.5, Seed{2}, 4);
  EXPECT_EQ(one.anchors, many.anchors);
  EXPECT_NEAR(one.gamma, many.gamma, 1e-9 * one.gamma);
}

}  // namespace
}  // namespace structhash
