#include "hashing/radial_basis.hpp"

#include <algorithm>
#include <cmath>

#include "core/linalg.hpp"
#include "hashing/kernel_bounds.hpp"
#include "hashing/kmeans.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kRowGrain = 256;
constexpr Index kMinRowsPerCentre = 4;
constexpr Index kMaxRowsPerCentre = 10;
constexpr Index kCentreRounds = 2;  // of k-means

/// Mean of ||x_i - a_j||^2 over all rows and anchors, from means and norms alone.
double mean_squared_distance(const MatrixView& x, const Shards& shards, const MatrixView& anchors) {
  // The sum of the squared norms of the rows, then the sum of the rows.
  const auto add_rows = [](const MatrixView& m, std::span<double> sums) {
    sums[0] = m.cast<double>().rowwise().squaredNorm().sum();
    Eigen::Map<Vector<double>>(sums.data() + 1, m.cols()) =
        m.cast<double>().colwise().sum().transpose();
  };
  const std::vector<double> sums =
      shards.sum(x.cols() + 1, [&](Index shard, std::span<double> part) {
        const RowRange rows = shards.rows(shard);
        add_rows(x.middleRows(rows.begin, rows.size()), part);
      });
  std::vector<double> of_anchors(sums.size());
  add_rows(anchors, of_anchors);
  const auto mean = [](const std::vector<double>& total, Index rows) -> Vector<double> {
    return Eigen::Map<const Vector<double>>(total.data(), std::ssize(total)) / to_double(rows);
  };
  const Vector<double> rows = mean(sums, shards.all_rows());
  const Vector<double> others = mean(of_anchors, anchors.rows());
  return rows(0) + others(0) - 2.0 * rows.tail(x.cols()).dot(others.tail(x.cols()));
}

/// Where there are many rows per anchor, the centres of their clusters cover them better than
/// random rows do (docs/adr/0023).
Matrix<float> draw_anchors(const MatrixView& x, const Shards& shards, Index count, Seed seed,
                           Threads threads) {
  if (shards.all_rows() < kMinRowsPerCentre * count) {
    return random_rows(x, shards, count, seed);
  }
  return kmeans(random_rows(x, shards, kMaxRowsPerCentre * count, seed), count, kCentreRounds,
                seed.fork("centres"), threads, {});
}

}  // namespace

Matrix<float> sliced_product(const MatrixView& a, const MatrixView& b, Threads threads) {
  const auto slice = [&](Index first) {
    const Index columns = std::min(kSlice, a.cols() - first);
    return product_abt(a.middleCols(first, columns), b.middleCols(first, columns), threads);
  };
  Matrix<float> sum = slice(0);
  for (Index first = kSlice; first < a.cols(); first += kSlice) {
    sum += slice(first);
  }
  return sum;
}

Matrix<float> kernel_responses(const MatrixView& x, const MatrixView& anchors, double gamma,
                               Threads threads) {
  Matrix<float> responses = sliced_product(x, anchors, threads);
  const Vector<float> anchor_norms = anchors.cast<double>().rowwise().squaredNorm().cast<float>();
  parallel_for(x.rows(), threads, kRowGrain, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      // ||x - a||^2 = ||x||^2 + ||a||^2 - 2 x.a, never below zero by rounding.
      const auto norm = static_cast<float>(x.row(row).cast<double>().squaredNorm());
      auto response = responses.row(row).array();
      response = (norm + anchor_norms.transpose().array() - 2.0F * response).max(0.0F);
      response = (-static_cast<float>(gamma) * response).exp();
    }
  });
  return responses;
}

Matrix<float> random_rows(const MatrixView& x, const Shards& shards, Index count, Seed seed) {
  require(count >= 1, "anchors must be at least 1");
  Rng rng(seed);
  const Index all = shards.all_rows();
  std::vector<Index> rows = sample_without_replacement(all, std::min(count, all), rng);
  std::ranges::sort(rows);
  return shards.gather_rows(x, rows);
}

RadialBasis make_radial_basis(Matrix<float> anchors, const MatrixView& x, const Shards& shards,
                              double width) {
  require(width > 0.0 && std::isfinite(width), "width must be a positive number");
  const double spread = mean_squared_distance(x, shards, anchors);
  require(spread > 0.0, "all training rows are equal: there is nothing to learn from");
  return {std::move(anchors), 1.0 / (2.0 * width * spread)};
}

RadialBasis draw_radial_basis(const MatrixView& x, const Shards& shards, Index count, double width,
                              Seed seed, Threads threads) {
  return make_radial_basis(draw_anchors(x, shards, count, seed, threads), x, shards, width);
}

}  // namespace structhash
