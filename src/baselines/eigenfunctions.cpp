#include "baselines/eigenfunctions.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/decompositions.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr double kSmoothing = 0.1;  // added to the share of every bin, as the authors do

/// Share of the rows per bin, smoothed; rows outside the range count at its ends.
Vector<double> histogram(const Eigen::Ref<const Eigen::RowVectorXf>& values, double low,
                         double width, Index bins) {
  Vector<double> shares = Vector<double>::Zero(bins);
  for (const float value : values) {
    const double bin = std::floor((static_cast<double>(value) - low) / width);
    shares(static_cast<Index>(std::clamp(bin, 0.0, to_double(bins - 1)))) += 1.0;
  }
  shares = (shares / to_double(values.size())).array() + kSmoothing;
  return shares / shares.sum();
}

/// Eigenpairs of the affinity of one component under the density p,
///
///   L u = (1 - mu) D u,   L = D - P W P,   D = diag(column sums of P W P)
///
/// as  N v = mu v,  N = D^(-1/2) P W P D^(-1/2),  u = D^(-1/2) v.  The largest mu = 1 is the
/// constant.
std::vector<Eigenfunction> functions_of(const ComponentRanges& ranges, std::int32_t component,
                                        Index bins, double sigma) {
  const double width = bin_width(ranges.low(component), ranges.high(component), bins);
  const Vector<double> p =
      histogram(ranges.values.row(component), ranges.low(component), width, bins);
  Matrix<double> affinity(bins, bins);
  for (Index i = 0; i < bins; ++i) {
    for (Index j = 0; j < bins; ++j) {
      const double distance = to_double(i - j) * width / sigma;
      affinity(i, j) = p(i) * p(j) * std::exp(-0.5 * distance * distance);
    }
  }
  const Vector<double> scale = affinity.colwise().sum().transpose().cwiseSqrt().cwiseInverse();
  const EigenPairs pairs = symmetric_eigen(scale.asDiagonal() * affinity * scale.asDiagonal());
  std::vector<Eigenfunction> functions;
  for (Index i = bins - 2; i >= 0 && pairs.values(i) > 0.0; --i) {
    functions.push_back(
        {pairs.values(i), component, Vector<double>(scale.cwiseProduct(pairs.vectors.col(i)))});
  }
  return functions;
}

void keep_heaviest(std::vector<Eigenfunction>& functions, Index count) {
  std::ranges::stable_sort(functions, std::ranges::greater{}, &Eigenfunction::weight);
  if (std::ssize(functions) > count) {
    functions.resize(static_cast<std::size_t>(count));
  }
}

}  // namespace

std::vector<Eigenfunction> leading_eigenfunctions(const ComponentRanges& ranges, Index bins,
                                                  double sigma, Index count, Threads threads) {
  std::vector<std::vector<Eigenfunction>> parts(static_cast<std::size_t>(ranges.size()));
  parallel_for(ranges.size(), threads, 1, [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      auto& part = parts[static_cast<std::size_t>(c)];
      part = functions_of(ranges, static_cast<std::int32_t>(c), bins, sigma);
      keep_heaviest(part, count);
    }
  });
  std::vector<Eigenfunction> all;
  for (std::vector<Eigenfunction>& part : parts) {
    std::ranges::move(part, std::back_inserter(all));
  }
  keep_heaviest(all, count);
  return all;
}

double interpolate(const Vector<double>& values, double first, double last, double at) {
  const double position = std::clamp((at - first) / (last - first), 0.0, 1.0);
  const double u = position * to_double(values.size() - 1);
  const Index left = std::min(static_cast<Index>(u), values.size() - 2);
  return values(left) + (u - to_double(left)) * (values(left + 1) - values(left));
}

}  // namespace structhash
