#include "hashing/nearest_anchors.hpp"
#include "structhash/hashing/encoders.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/linalg.hpp"
#include "hashing/decay.hpp"
#include "hashing/sections.hpp"
#include "hashing/signs.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

struct NearAnchor {
  double squared_distance;
  std::int32_t anchor;
  auto operator<=>(const NearAnchor&) const = default;
};

/// In double, column after column: what a distance is by definition.
double squared_distance(const MatrixView& x, Index row, const Matrix<float>& anchors,
                        Index anchor) {
  double sum = 0.0;
  for (Index column = 0; column < x.cols(); ++column) {
    const double difference =
        static_cast<double>(x(row, column)) - static_cast<double>(anchors(anchor, column));
    sum += difference * difference;
  }
  return sum;
}

/// Anchors that may be among the nearest, given  ||a||^2 - 2 x.a  with an error of at most `error`:
/// the k-th smallest of them is off by no more, so nothing beyond it by twice the error can be.
void find_candidates(std::span<const double> approximate, Index neighbours, double error,
                     std::vector<double>& scratch, std::vector<std::int32_t>& candidates) {
  scratch.assign(approximate.begin(), approximate.end());
  const bool known =
      std::ranges::all_of(scratch, [](double value) { return std::isfinite(value); });
  double limit = std::numeric_limits<double>::infinity();
  if (known) {
    const auto last = scratch.begin() + (neighbours - 1);
    std::ranges::nth_element(scratch, last);
    limit = *last + 2.0 * error;
  }
  candidates.clear();
  for (std::size_t j = 0; j < approximate.size(); ++j) {
    if (!known || approximate[j] <= limit) {
      candidates.push_back(static_cast<std::int32_t>(j));
    }
  }
}

}  // namespace

/// One float product finds the few anchors that can be among the nearest; only their distances are
/// computed in double.
NearestAnchors nearest_anchors(const Matrix<float>& anchors, Index neighbours,
                               const MatrixView& x) {
  const Matrix<float> products = product_abt(x, anchors, /*threads=*/1);
  const Vector<double> norms = anchors.cast<double>().rowwise().squaredNorm();
  const double largest = std::sqrt(norms.maxCoeff());
  // Twice the error of a float product of n terms, n u |x| |a| (Higham, section 3.1), and to spare.
  const double rounding = 2.1 * to_double(x.cols() + 8) * 0x1.0p-24;
  NearestAnchors result;
  Vector<double> approximate(norms.size());
  std::vector<double> scratch;
  std::vector<std::int32_t> candidates;
  std::vector<NearAnchor> near;
  for (Index row = 0; row < x.rows(); ++row) {
    approximate = norms - 2.0 * products.row(row).transpose().cast<double>();
    const double error = rounding * x.row(row).cast<double>().norm() * largest +
                         to_double(x.cols()) * std::numeric_limits<float>::min() +
                         1e-12 * largest * largest;
    find_candidates({approximate.data(), static_cast<std::size_t>(approximate.size())}, neighbours,
                    error, scratch, candidates);
    near.clear();
    for (const std::int32_t anchor : candidates) {
      near.push_back({squared_distance(x, row, anchors, anchor), anchor});
    }
    std::ranges::sort(near);
    for (const NearAnchor& item : std::span(near).first(static_cast<std::size_t>(neighbours))) {
      result.anchors.push_back(item.anchor);
      result.squared_distances.push_back(item.squared_distance);
    }
  }
  return result;
}

/// Relative to the nearest, which changes nothing after the division and keeps the weights from all
/// being zero far away from every anchor.
std::vector<double> anchor_weights(const NearestAnchors& near, Index neighbours, double gamma) {
  std::vector<double> weights;
  weights.reserve(near.anchors.size());
  const auto step = static_cast<std::size_t>(neighbours);
  for (std::size_t begin = 0; begin < near.anchors.size(); begin += step) {
    double sum = 0.0;
    for (std::size_t i = begin; i < begin + step; ++i) {
      const double beyond = near.squared_distances[i] - near.squared_distances[begin];
      weights.push_back(decay(gamma * beyond));
      sum += weights.back();
    }
    for (std::size_t i = begin; i < begin + step; ++i) {
      weights[i] /= sum;
    }
  }
  return weights;
}

void AnchorGraphEncoder::check() const {
  require(bits() >= 1 && dimension() >= 1 && anchors.rows() >= 1,
          "an anchor graph encoder needs anchors and bits");
  require(neighbours >= 1 && neighbours <= anchors.rows(),
          "an anchor graph encoder needs at least as many anchors as neighbours");
  require(coefficients.cols() == anchors.rows() && low.size() == columns.size() &&
              high.size() == columns.size(),
          "an anchor graph encoder needs one coefficient per anchor and two thresholds per bit");
  require(std::ranges::all_of(columns,
                              [&](std::int32_t c) { return c >= 0 && c < coefficients.rows(); }),
          "an anchor graph encoder asks for a function that is not there");
  const auto finite = [](float value) { return std::isfinite(value); };
  require(anchors.allFinite() && coefficients.allFinite() && std::ranges::all_of(low, finite) &&
              std::ranges::all_of(high, finite) && std::isfinite(gamma) && gamma > 0.0F,
          "an anchor graph encoder holds a number that is not finite, or a width that is not "
          "positive");
}

Matrix<float> AnchorGraphEncoder::values(const MatrixView& x) const {
  constexpr double kMax = std::numeric_limits<float>::max();
  const NearestAnchors near = nearest_anchors(anchors, neighbours, x);
  const std::vector<double> z = anchor_weights(near, neighbours, static_cast<double>(gamma));
  const auto step = static_cast<std::size_t>(neighbours);
  const Matrix<double> by_anchor = coefficients.transpose().cast<double>();
  Vector<double> y(coefficients.rows());
  Matrix<float> result(x.rows(), bits());
  for (Index row = 0; row < x.rows(); ++row) {
    y.setZero();
    const std::size_t begin = static_cast<std::size_t>(row) * step;
    for (std::size_t i = begin; i < begin + step; ++i) {
      y += z[i] * by_anchor.row(near.anchors[i]).transpose();
    }
    for (Index bit = 0; bit < bits(); ++bit) {
      const auto b = static_cast<std::size_t>(bit);
      const double at = y(columns[b]);
      const double value =
          at > 0.0 ? at - static_cast<double>(high[b]) : static_cast<double>(low[b]) - at;
      result(row, bit) = with_same_sign(std::clamp(value, -kMax, kMax));
    }
  }
  return result;
}

void AnchorGraphEncoder::save(ContainerWriter& file) const {
  add_matrix(file, "anchors", anchors);
  add_count(file, "neighbours", neighbours);
  add_vector(file, "gamma", Vector<float>::Constant(1, gamma));
  add_matrix(file, "coefficients", coefficients);
  file.add("columns", std::span(columns));
  file.add("low", std::span(low));
  file.add("high", std::span(high));
}

AnchorGraphEncoder AnchorGraphEncoder::load(const Container& file) {
  const Vector<float> width = read_vector(file, "gamma");
  if (width.size() != 1) {
    file.fail_corrupt("the width of the anchor graph is not one number");
  }
  return {.anchors = read_matrix(file, "anchors"),
          .neighbours = read_count(file, "neighbours"),
          .gamma = width(0),
          .coefficients = read_matrix(file, "coefficients"),
          .columns = read_array<std::int32_t>(file, "columns"),
          .low = read_array<float>(file, "low"),
          .high = read_array<float>(file, "high")};
}

bool AnchorGraphEncoder::operator==(const AnchorGraphEncoder& other) const {
  return same(anchors, other.anchors) && neighbours == other.neighbours && gamma == other.gamma &&
         same(coefficients, other.coefficients) && columns == other.columns && low == other.low &&
         high == other.high;
}

}  // namespace structhash
