#include "learner/leave_one_out.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/decompositions.hpp"
#include "core/linalg.hpp"
#include "data/label_indicator.hpp"

namespace structhash {
namespace {

constexpr double kMinVariance = 1e-8;       // of the largest; below it is rounding
constexpr Index kMaxLabels = 32;            // that are predicted
constexpr double kMinResidualShare = 1e-6;  // bounds 1 - h from below

/// Rows by label, 0 or 1: at most kMaxLabels columns, the most frequent labels first.
Matrix<float> frequent_labels(const Labels& labels) {
  const Matrix<float> all = label_indicator(labels);
  std::vector<std::pair<Index, Index>> counts;  // minus how often, column
  counts.reserve(static_cast<std::size_t>(all.cols()));
  for (Index column = 0; column < all.cols(); ++column) {
    counts.emplace_back(-static_cast<Index>(all.col(column).sum()), column);
  }
  std::ranges::sort(counts);
  Matrix<float> most(all.rows(), std::min(kMaxLabels, all.cols()));
  for (Index column = 0; column < most.cols(); ++column) {
    most.col(column) = all.col(counts[static_cast<std::size_t>(column)].second);
  }
  return most;
}

/// Centred features as x = u diag(sqrt(n lambda)) v', without directions of next to no variance.
struct Spectrum {
  Matrix<float> u;          // orthonormal columns
  Vector<double> variance;  // lambda, over the largest
};

Spectrum spectrum_of(const ResponseSpace& space, Threads threads) {
  const Matrix<float>& x = space.centred();
  const EigenPairs& pairs = space.covariance();
  const auto n = static_cast<double>(x.rows());
  const Index columns = x.cols();
  const double largest = pairs.values(columns - 1);
  Index kept = 0;
  while (kept < columns && pairs.values(columns - 1 - kept) > kMinVariance * largest) {
    ++kept;
  }
  Matrix<float> v(columns, kept);
  Vector<double> variance(kept);
  for (Index i = 0; i < kept; ++i) {
    const double value = pairs.values(columns - 1 - i);
    v.col(i) = (pairs.vectors.col(columns - 1 - i) / std::sqrt(n * value)).cast<float>();
    variance(i) = value / largest;
  }
  return {product(x, v, threads), variance};
}

}  // namespace

/// With  w_i = lambda_i / (lambda_i + ridge lambda_1)  the fit is  y^ = mean + u diag(w) u' y,  the
/// leverage of a row  h_r = 1/n + sum_i w_i u_ri^2,  and the error of the fit to all other rows
/// (y_r - y^_r) / (1 - h_r)  (Allen 1974).
std::vector<double> leave_one_out_errors(const ResponseSpace& space, const Labels& labels,
                                         std::span<const double> ridges, Threads threads) {
  const Spectrum spectrum = spectrum_of(space, threads);
  Matrix<float> y = frequent_labels(labels);
  y.rowwise() -= y.colwise().mean().eval();
  const Matrix<double> uy = product_atb(spectrum.u, y, threads);
  const Matrix<float> squares = spectrum.u.array().square();
  std::vector<double> errors;
  for (const double ridge : ridges) {
    const Vector<double> w = spectrum.variance.array() / (spectrum.variance.array() + ridge);
    const Matrix<float> inner = (w.asDiagonal() * uy).cast<float>();
    const Matrix<float> fit = product(spectrum.u, inner, threads);
    Vector<float> own(y.rows());
    matrix_vector(squares, w.cast<float>(), own, threads);
    double sum = 0.0;
    for (Index row = 0; row < y.rows(); ++row) {
      const double left = 1.0 - 1.0 / static_cast<double>(y.rows()) - static_cast<double>(own(row));
      const double error = static_cast<double>((y.row(row) - fit.row(row)).norm()) /
                           std::max(left, kMinResidualShare);
      sum += error * error;
    }
    errors.push_back(sum / static_cast<double>(y.size()));
  }
  return errors;
}

double leave_one_out_ridge(const ResponseSpace& space, const Labels& labels, Threads threads) {
  std::vector<double> ridges;
  for (int step = 0; step <= 24; ++step) {
    ridges.push_back(std::pow(10.0, -7.0 + step / 4.0));
  }
  const std::vector<double> errors = leave_one_out_errors(space, labels, ridges, threads);
  return ridges[static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin())];
}

}  // namespace structhash
