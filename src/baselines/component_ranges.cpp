#include "baselines/component_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "data/preprocess.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// A component this much narrower than the widest is rounding noise of the projection.
constexpr double kNarrowest = 1e-5;

float order_statistic(std::vector<float>& values, double share) {
  const auto at = values.begin() + std::lround(share * to_double(std::ssize(values) - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

}  // namespace

ComponentRanges component_ranges(const MatrixView& x, Index components, double tail,
                                 const char* method, Threads threads) {
  const AffineMap pca = fit_pca(x, std::min({components, x.rows(), x.cols()}), threads);
  const Matrix<float> projected = pca.apply(x, threads).transpose();
  const LinearFunctions functions =
      fold(pca, {.directions = Matrix<double>::Identity(pca.outputs(), pca.outputs()),
                 .offsets = Vector<double>::Zero(pca.outputs())});
  Vector<float> low(pca.outputs());
  Vector<float> high(pca.outputs());
  for (Index c = 0; c < pca.outputs(); ++c) {
    std::vector<float> values(projected.row(c).begin(), projected.row(c).end());
    low(c) = order_statistic(values, tail);
    high(c) = order_statistic(values, 1.0 - tail);
  }
  const Vector<double> width = high.cast<double>() - low.cast<double>();
  const double narrowest = std::max(kNarrowest * width.maxCoeff(), 1e-30);
  std::vector<Index> kept;
  for (Index c = 0; c < width.size(); ++c) {
    if (width(c) > narrowest) {
      kept.push_back(c);
    }
  }
  if (kept.empty()) {
    fail(Errc::bad_data, fmt::format("features: all training rows are (nearly) equal; '{}' needs "
                                     "rows that differ",
                                     method));
  }
  return {.directions = functions.directions(kept, Eigen::all).cast<float>(),
          .offsets = functions.offsets(kept).cast<float>(),
          .low = low(kept),
          .high = high(kept),
          .values = projected(kept, Eigen::all)};
}

}  // namespace structhash
