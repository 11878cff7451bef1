#include "hashing/nearest_anchors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/linalg.hpp"
#include "hashing/decay.hpp"

namespace structhash {
namespace {

struct NearAnchor {
  double squared_distance;
  std::int32_t anchor;
  auto operator<=>(const NearAnchor&) const = default;
};

/// In double, column after column: the definition of a distance.
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

}  // namespace structhash
