#include "data/preprocess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/decompositions.hpp"
#include "core/linalg.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kApplyBlock = 1024;        // rows one task maps
constexpr Index kCovarianceBlock = 65536;  // rows centred at a time: bounds the extra memory

void require_rows(const MatrixView& x) {
  require(x.rows() >= 1 && x.cols() >= 1, "preprocessing needs at least one row and one column");
}

Vector<double> column_means(const MatrixView& x, const Shards& shards) {
  const std::vector<double> sums = shards.sum(x.cols(), [&](Index shard, std::span<double> part) {
    Eigen::Map<Vector<double>> sum(part.data(), x.cols());
    const RowRange rows = shards.rows(shard);
    for (Index row = rows.begin; row < rows.end; ++row) {
      sum += x.row(row).cast<double>().transpose();
    }
  });
  return Eigen::Map<const Vector<double>>(sums.data(), x.cols()) / to_double(shards.all_rows());
}

struct PrincipalAxes {
  Vector<double> values;   // variances, descending, at least 0
  Matrix<double> vectors;  // input columns x components
};

PrincipalAxes largest_first(const EigenPairs& pairs, Index components) {
  PrincipalAxes axes;
  axes.values = pairs.values.tail(components).reverse().cwiseMax(0.0);
  axes.vectors = pairs.vectors.rightCols(components).rowwise().reverse();
  return axes;
}

/// Eigenpairs of the covariance  C = 1/n sum (x - mean)(x - mean)^T,  columns x columns.
PrincipalAxes axes_by_covariance(const MatrixView& x, const Vector<float>& mean, Index components,
                                 Threads threads) {
  Matrix<double> covariance = Matrix<double>::Zero(x.cols(), x.cols());
  for (Index begin = 0; begin < x.rows(); begin += kCovarianceBlock) {
    const Index count = std::min(kCovarianceBlock, x.rows() - begin);
    const Matrix<float> centred = x.middleRows(begin, count).rowwise() - mean.transpose();
    covariance += product_atb(centred, centred, threads);
  }
  return largest_first(symmetric_eigen(covariance / to_double(x.rows()), threads), components);
}

/// The same from the n x n matrix of inner products, for fewer rows than columns: if K u = lambda u
/// with K = X X^T / n, then v = X^T u / |X^T u| is the eigenvector of C for the same lambda.
PrincipalAxes axes_by_inner_products(const MatrixView& x, const Vector<float>& mean,
                                     Index components, Threads threads) {
  const Matrix<float> centred = x.rowwise() - mean.transpose();
  const Matrix<float> columns = centred.transpose();
  const Matrix<double> inner = product_atb(columns, columns, threads) / to_double(x.rows());
  PrincipalAxes axes = largest_first(symmetric_eigen(inner, threads), components);
  axes.vectors = (centred.transpose().cast<double>() * axes.vectors).eval();
  for (Index i = 0; i < components; ++i) {
    const double length = axes.vectors.col(i).norm();
    if (axes.values(i) <= 1e-12 * axes.values(0) || length == 0.0) {
      axes.values(i) = 0.0;  // rounding noise: no direction belongs to it
      axes.vectors.col(i).setZero();
      continue;
    }
    Index largest = 0;
    axes.vectors.col(i).cwiseAbs().maxCoeff(&largest);
    axes.vectors.col(i) /= axes.vectors(largest, i) < 0.0 ? -length : length;
  }
  return axes;
}

PrincipalAxes principal_axes(const MatrixView& x, const Vector<float>& mean, Index components,
                             Threads threads) {
  require(components >= 1 && components <= std::min(x.rows(), x.cols()),
          fmt::format("principal components must be 1 to {3} for {1} rows of {2} columns, got {0}",
                      components, x.rows(), x.cols(), std::min(x.rows(), x.cols())));
  return x.rows() < x.cols() ? axes_by_inner_products(x, mean, components, threads)
                             : axes_by_covariance(x, mean, components, threads);
}

}  // namespace

Matrix<float> AffineMap::apply(const MatrixView& x, Threads threads) const {
  require(x.cols() == inputs(),
          fmt::format("the preprocessing was fitted to {} columns, but the data have {}", inputs(),
                      x.cols()));
  Matrix<float> y(x.rows(), inputs());
  parallel_for(x.rows(), threads, kApplyBlock, [&](Index begin, Index end) {
    auto rows = y.middleRows(begin, end - begin);
    rows = x.middleRows(begin, end - begin).rowwise() - centre.transpose();
    if (scale.size() > 0) {
      rows = rows * scale.asDiagonal();
    }
  });
  return matrix.size() > 0 ? product(y, matrix, threads) : y;
}

/// With D = diag(scale):  w . (D (x - centre)) M  =  w' . x - w' . centre,  w' = w M^T D.
LinearFunctions fold(const AffineMap& map, const LinearFunctions& functions) {
  require(
      functions.directions.cols() == map.outputs() &&
          functions.directions.rows() == functions.offsets.size(),
      "fold: the functions must have one coefficient per output of the map and one offset each");
  LinearFunctions folded = functions;
  if (map.matrix.size() > 0) {
    folded.directions = functions.directions * map.matrix.cast<double>().transpose();
  }
  if (map.scale.size() > 0) {
    folded.directions = (folded.directions * map.scale.cast<double>().asDiagonal()).eval();
  }
  folded.offsets -= folded.directions * map.centre.cast<double>();
  return folded;
}

AffineMap fit_centre(const MatrixView& x) {
  return fit_centre(x, Shards(x.rows()));
}

AffineMap fit_centre(const MatrixView& x, const Shards& shards) {
  require_rows(x);
  return {column_means(x, shards).cast<float>(), {}, {}};
}

AffineMap fit_min_max(const MatrixView& x) {
  require_rows(x);
  const Vector<float> low = x.colwise().minCoeff().transpose();
  const Vector<double> range =
      x.colwise().maxCoeff().transpose().cast<double>() - low.cast<double>();
  // A range below the smallest normal float would give an infinite scale.
  const Vector<float> scale = range.unaryExpr(
      [](double width) { return width < 1.2e-38 ? 0.0F : static_cast<float>(1.0 / width); });
  return {low, scale, {}};
}

AffineMap fit_pca(const MatrixView& x, Index components, Threads threads) {
  require_rows(x);
  AffineMap map = fit_centre(x);
  map.matrix = principal_axes(x, map.centre, components, threads).vectors.cast<float>();
  return map;
}

AffineMap fit_whitening(const MatrixView& x, Index components, double floor, Threads threads) {
  require_rows(x);
  require(floor >= 0.0 && floor <= 1.0, "the eigenvalue floor of whitening must be in 0..1");
  AffineMap map = fit_centre(x);
  const PrincipalAxes axes = principal_axes(x, map.centre, components, threads);
  // Below 1e-14 of the largest, an eigenvalue computed in double is rounding noise.
  const double noise = 1e-14 * axes.values(0);
  Vector<double> gain(components);
  for (Index i = 0; i < components; ++i) {
    const double variance = std::max(axes.values(i), floor * axes.values(0));
    gain(i) = variance > noise ? 1.0 / std::sqrt(variance) : 0.0;
  }
  map.matrix = (axes.vectors * gain.asDiagonal()).cast<float>();
  return map;
}

void normalise_rows(Matrix<float>& x) {
  for (Index row = 0; row < x.rows(); ++row) {
    const double length = x.row(row).cast<double>().norm();
    if (length > 0.0) {
      x.row(row) = (x.row(row).cast<double>() / length).cast<float>();
    }
  }
}

}  // namespace structhash
