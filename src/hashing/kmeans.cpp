#include "hashing/kmeans.hpp"

#include <algorithm>
#include <vector>

#include "core/linalg.hpp"
#include "hashing/radial_basis.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kDistanceBlock = 1024;  // rows whose distances one task holds

void move_to_means(const MatrixView& x, const std::vector<Index>& nearest, Matrix<float>& centres) {
  Matrix<double> sums = Matrix<double>::Zero(centres.rows(), centres.cols());
  Vector<double> counts = Vector<double>::Zero(centres.rows());
  for (Index row = 0; row < x.rows(); ++row) {
    const Index centre = nearest[static_cast<std::size_t>(row)];
    sums.row(centre) += x.row(row).cast<double>();
    counts(centre) += 1.0;
  }
  for (Index centre = 0; centre < centres.rows(); ++centre) {
    if (counts(centre) > 0.0) {
      centres.row(centre) = (sums.row(centre) / counts(centre)).cast<float>();
    }
  }
}

}  // namespace

/// argmin_j ||x - c_j||^2 = argmax_j  x . c_j - ||c_j||^2 / 2
std::vector<Index> nearest_centres(const MatrixView& x, const Matrix<float>& centres,
                                   Threads threads) {
  const Vector<float> halves = (0.5 * centres.cast<double>().rowwise().squaredNorm()).cast<float>();
  std::vector<Index> nearest(static_cast<std::size_t>(x.rows()));
  parallel_for(x.rows(), threads, kDistanceBlock, [&](Index begin, Index end) {
    Matrix<float> scores = product_abt(x.middleRows(begin, end - begin), centres, /*threads=*/1);
    scores.rowwise() -= halves.transpose();
    for (Index row = begin; row < end; ++row) {
      scores.row(row - begin).maxCoeff(&nearest[static_cast<std::size_t>(row)]);
    }
  });
  return nearest;
}

Matrix<float> kmeans(const MatrixView& x, Index count, Index iterations, Seed seed, Threads threads,
                     const ProgressCallback& on_progress) {
  require(count >= 1 && count <= x.rows(), "k-means needs 1 to as many centres as rows");
  Matrix<float> centres = random_rows(x, Shards(x.rows()), count, seed);
  std::vector<Index> before;
  for (Index round = 0; round < iterations; ++round) {
    report(on_progress, {.stage = "anchors",
                         .done = to_double(round),
                         .total = to_double(iterations),
                         .detail = {}});
    std::vector<Index> nearest = nearest_centres(x, centres, threads);
    if (nearest == before) {
      break;
    }
    move_to_means(x, nearest, centres);
    before = std::move(nearest);
  }
  return centres;
}

}  // namespace structhash
