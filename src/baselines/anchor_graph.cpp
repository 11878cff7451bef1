#include "baselines/anchor_graph.hpp"
#include "hashing/nearest_anchors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/decompositions.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kAnchorBlock = 256;
constexpr double kConnected = 1.0 - 1e-3;  // eigenvalues above: connected components of the graph
constexpr double kMin = 1e-6;              // eigenvalues below are rounding noise
constexpr double kVanishing = 1e-9;        // of the largest coefficient: zero but for rounding

NearestAnchors all_nearest(const MatrixView& x, const Matrix<float>& anchors, Index neighbours,
                           Threads threads) {
  std::vector<NearestAnchors> blocks(static_cast<std::size_t>(chunk_count(x.rows(), kAnchorBlock)));
  parallel_for(x.rows(), threads, kAnchorBlock, [&](Index begin, Index end) {
    blocks[static_cast<std::size_t>(begin / kAnchorBlock)] =
        nearest_anchors(anchors, neighbours, x.middleRows(begin, end - begin));
  });
  NearestAnchors all;
  for (const NearestAnchors& block : blocks) {
    all.anchors.insert(all.anchors.end(), block.anchors.begin(), block.anchors.end());
    all.squared_distances.insert(all.squared_distances.end(), block.squared_distances.begin(),
                                 block.squared_distances.end());
  }
  return all;
}

/// gamma = 1 / sigma^2,  sigma: mean distance of a row to the last of its nearest anchors.
double width_of(const NearestAnchors& near, Index neighbours) {
  double sum = 0.0;
  const auto step = static_cast<std::size_t>(neighbours);
  for (std::size_t i = step - 1; i < near.squared_distances.size(); i += step) {
    sum += std::sqrt(near.squared_distances[i]);
  }
  const std::size_t points = near.squared_distances.size() / step;
  const double sigma = sum / static_cast<double>(points);
  const double gamma = 1.0 / (sigma * sigma);
  return gamma < std::numeric_limits<float>::max() ? static_cast<float>(gamma) : 1.0;
}

std::vector<Index> used_anchors(const NearestAnchors& near, Index anchors) {
  std::vector<bool> used(static_cast<std::size_t>(anchors), false);
  for (const std::int32_t anchor : near.anchors) {
    used[static_cast<std::size_t>(anchor)] = true;
  }
  std::vector<Index> kept;
  for (Index anchor = 0; anchor < anchors; ++anchor) {
    if (used[static_cast<std::size_t>(anchor)]) {
      kept.push_back(anchor);
    }
  }
  return kept;
}

double quantile(const Vector<double>& values, double share) {
  std::vector<double> sorted(values.begin(), values.end());
  const auto at = sorted.begin() + std::lround(share * to_double(std::ssize(sorted) - 1));
  std::ranges::nth_element(sorted, at);
  return *at;
}

}  // namespace

TrainingGraph::TrainingGraph(const MatrixView& x, const Matrix<float>& anchors, Index neighbours,
                             Threads threads)
    : neighbours_(neighbours), near_(all_nearest(x, anchors, neighbours, threads)) {
  const std::vector<Index> kept = used_anchors(near_, anchors.rows());
  anchors_ = anchors(kept, Eigen::all);
  for (std::int32_t& anchor : near_.anchors) {
    anchor = static_cast<std::int32_t>(std::ranges::lower_bound(kept, anchor) - kept.begin());
  }
  gamma_ = width_of(near_, neighbours);
  weights_ = anchor_weights(near_, neighbours, gamma_);
  masses_ = Vector<double>::Zero(anchors_.rows());
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    masses_(near_.anchors[i]) += weights_[i];
  }
}

Index TrainingGraph::rows() const {
  return std::ssize(weights_) / neighbours_;
}

/// M = L^(-1/2) Z^T Z L^(-1/2) has the eigenvalues of A; an eigenvector v of M with eigenvalue s
/// gives y = Z f,  f = sqrt(n / s) L^(-1/2) v.
///
/// Eigenvalue 1 belongs to the constant, and once more to every connected component of the graph:
/// such a function separates a few rows from all others and is left out, as the authors do.
Matrix<double> TrainingGraph::smoothest_functions(Index count) const {
  const Index anchors = anchors_.rows();
  const Vector<double> scale =
      masses_.unaryExpr([](double mass) { return mass > 0.0 ? 1.0 / std::sqrt(mass) : 0.0; });
  Matrix<double> m = Matrix<double>::Zero(anchors, anchors);
  const auto step = static_cast<std::size_t>(neighbours_);
  for (std::size_t begin = 0; begin < weights_.size(); begin += step) {
    for (std::size_t i = begin; i < begin + step; ++i) {
      for (std::size_t j = begin; j < begin + step; ++j) {
        m(near_.anchors[i], near_.anchors[j]) += weights_[i] * weights_[j];
      }
    }
  }
  const EigenPairs pairs = symmetric_eigen(scale.asDiagonal() * m * scale.asDiagonal());
  Matrix<double> functions(count, anchors);
  Index found = 0;
  for (Index i = anchors - 1; i >= 0 && found < count && pairs.values(i) > kMin; --i) {
    if (pairs.values(i) < kConnected) {
      Vector<double> f =
          std::sqrt(to_double(rows()) / pairs.values(i)) * scale.cwiseProduct(pairs.vectors.col(i));
      const double vanishing = kVanishing * f.cwiseAbs().maxCoeff();
      functions.row(found++) =
          f.unaryExpr([&](double entry) { return std::abs(entry) < vanishing ? 0.0 : entry; });
    }
  }
  return functions.topRows(found);
}

Vector<double> TrainingGraph::values(const Vector<double>& function) const {
  Vector<double> y = Vector<double>::Zero(rows());
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    y(static_cast<Index>(i) / neighbours_) += weights_[i] * function(near_.anchors[i]);
  }
  return y;
}

/// Cuts b+ > 0 of the rows with y > 0 and b- < 0 of the others, such that
///
///   f = |y| - b+ on the rows with y > 0,  |y| + b- elsewhere
///
/// has mean 0 and is smoothest on the graph,  min f^T (I - A) f.  With u the indicator of y > 0, n1
/// and n2 the rows on both sides, s3 = sum of y over u, and |y| of sum 2 s3:
///
///   d = u^T (I - A) |y| / u^T (I - A) u,   b+ = (2 s3 + n2 d) / n,   b- = (n1 d - 2 s3) / n
TrainingGraph::Cut TrainingGraph::second_cut(const Vector<double>& y) const {
  Vector<double> left = Vector<double>::Zero(anchors_.rows());   // Z^T u
  Vector<double> right = Vector<double>::Zero(anchors_.rows());  // Z^T |y|
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const double at = y(static_cast<Index>(i) / neighbours_);
    left(near_.anchors[i]) += at > 0.0 ? weights_[i] : 0.0;
    right(near_.anchors[i]) += weights_[i] * std::abs(at);
  }
  const auto positive = y.array() > 0.0;
  const double n = to_double(y.size());
  const double n1 = to_double(positive.count());
  const double n2 = n - n1;
  const double s3 = positive.select(y.array(), 0.0).sum();
  const double s1 = left.cwiseQuotient(masses_).dot(right);
  const double s2 = n1 - left.cwiseQuotient(masses_).dot(left);
  if (s2 > 1e-9 * n) {
    const double d = (s3 - s1) / s2;
    return {(n1 * d - 2.0 * s3) / n, (2.0 * s3 + n2 * d) / n};
  }
  return {-s3 / std::max(n2, 1.0),
          s3 / std::max(n1, 1.0)};  // the sides are not connected: their means
}

AnchorGraphEncoder TrainingGraph::encoder(const Matrix<double>& functions, Index bits,
                                          Index layers) const {
  constexpr float kMax = std::numeric_limits<float>::max();
  AnchorGraphEncoder encoder{.anchors = anchors_,
                             .neighbours = neighbours_,
                             .gamma = static_cast<float>(gamma_),
                             .coefficients = functions.cast<float>(),
                             .columns = {},
                             .low = {},
                             .high = {}};
  const auto add = [&](Index column, float low, float high) {
    if (encoder.bits() < bits) {
      encoder.columns.push_back(static_cast<std::int32_t>(column));
      encoder.low.push_back(low);
      encoder.high.push_back(high);
    }
  };
  for (Index column = 0; column < functions.rows(); ++column) {
    add(column, -kMax, 0.0F);
  }
  for (Index column = 0; layers == 2 && column < functions.rows(); ++column) {
    const Cut cut = second_cut(values(functions.row(column).transpose()));
    add(column, static_cast<float>(cut.low), static_cast<float>(cut.high));
  }
  const Index remaining = bits - encoder.bits();
  const Index copies = chunk_count(remaining, functions.rows());
  for (Index copy = 1; copy <= copies; ++copy) {
    for (Index column = 0; column < functions.rows(); ++column) {
      const double threshold = quantile(values(functions.row(column).transpose()),
                                        to_double(copy) / to_double(copies + 1));
      const auto t = static_cast<float>(threshold);
      threshold >= 0.0 ? add(column, -kMax, t) : add(column, t, kMax);
    }
  }
  return encoder;
}

}  // namespace structhash
