#include "baselines/sths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "baselines/label_groups.hpp"
#include "baselines/linear_svm.hpp"
#include "core/decompositions.hpp"
#include "core/linalg.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// One generalised eigenvector of the graph: zero outside the rows of its group.
struct GroupMode {
  double eigenvalue = 0.0;
  Index group = 0;
  Vector<double> values;  // one per row of the group
};

/// W(i, j) = exp(-||z_i - z_j||^2) if one is among the nearest neighbours of the other, within one
/// group.  Features have unit spread, so the scale of the heat kernel is 1.
Matrix<double> neighbour_graph(const Matrix<float>& z, Index neighbours, Threads threads) {
  const Index n = z.rows();
  const Matrix<float> inner = product_abt(z, z, threads);
  Matrix<double> weights = Matrix<double>::Zero(n, n);
  std::vector<Index> order(static_cast<std::size_t>(n));
  for (Index row = 0; row < n; ++row) {
    const auto distance = [&](Index other) {
      return inner(row, row) + inner(other, other) - 2.0F * inner(row, other);
    };
    std::iota(order.begin(), order.end(), Index{0});
    std::erase(order, row);
    const auto count = static_cast<std::ptrdiff_t>(std::min(neighbours, n - 1));
    std::ranges::partial_sort(order, order.begin() + count, [&](Index a, Index b) {
      const float da = distance(a);
      const float db = distance(b);
      return da != db ? da < db : a < b;
    });
    for (auto other = order.begin(); other != order.begin() + count; ++other) {
      const double weight = std::exp(-std::max(0.0, static_cast<double>(distance(*other))));
      weights(row, *other) = weights(*other, row) = weight;
    }
    order.resize(static_cast<std::size_t>(n));
  }
  return weights;
}

/// L y = lambda D y within one group, without its constant vector: with u = D^1/2 y,
/// (I - D^-1/2 W D^-1/2) u = lambda u.
std::vector<GroupMode> modes_of_group(const Matrix<float>& z, Index group, Index neighbours,
                                      Threads threads) {
  const Matrix<double> weights = neighbour_graph(z, neighbours, threads);
  const Vector<double> degrees = weights.rowwise().sum().cwiseMax(1e-300);
  const Vector<double> root = degrees.cwiseSqrt().cwiseInverse();
  const EigenPairs pairs =
      symmetric_eigen(root.asDiagonal() * weights * root.asDiagonal(), threads);
  std::vector<GroupMode> modes;
  for (Index i = z.rows() - 2; i >= 0; --i) {  // the largest is the constant vector
    modes.push_back({1.0 - pairs.values(i), group, root.cwiseProduct(pairs.vectors.col(i))});
  }
  return modes;
}

/// [ y > median ], as +1 and -1.
Vector<float> above_median(const Vector<double>& y) {
  std::vector<double> sorted(y.begin(), y.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
  std::ranges::nth_element(sorted, middle);
  const double median = *middle;
  return (y.array() > median).select(Vector<float>::Ones(y.size()), -1.0F);
}

/// The eigenvectors of smallest eigenvalue, thresholded: rows x bits.  The groups are
/// the connected components of the label graph.  Eigenvalue 0 belongs to all vectors that are
/// constant on each group; their basis here is cosines over the groups.  Every other eigenvector is
/// zero outside one group.
Matrix<float> spectral_codes(const Matrix<float>& z, const LabelGroups& groups,
                             const SthsParams& params, Threads threads) {
  Matrix<float> codes(z.rows(), params.bits);
  const Index constant = std::min(groups.count() - 1, params.bits);
  for (Index k = 0; k < constant; ++k) {
    Vector<double> y(z.rows());
    for (Index row = 0; row < z.rows(); ++row) {
      const double place = to_double(groups.group[static_cast<std::size_t>(row)]) + 0.5;
      y(row) = std::cos(std::numbers::pi * place * to_double(k + 1) / to_double(groups.count()));
    }
    codes.col(k) = above_median(y);
  }
  std::vector<GroupMode> modes;
  for (Index group = 0; group < groups.count(); ++group) {
    const Matrix<float> part = z(groups.rows[static_cast<std::size_t>(group)], Eigen::all);
    for (GroupMode& mode : modes_of_group(part, group, params.neighbours, threads)) {
      modes.push_back(std::move(mode));
    }
  }
  std::ranges::stable_sort(modes, {}, &GroupMode::eigenvalue);
  for (Index k = constant; k < params.bits; ++k) {
    const GroupMode& mode = modes[static_cast<std::size_t>(k - constant)];
    Vector<double> y = Vector<double>::Zero(z.rows());
    y(groups.rows[static_cast<std::size_t>(mode.group)]) = mode.values;
    codes.col(k) = above_median(y);
  }
  return codes;
}

}  // namespace

HashModel fit_sths(const TrainingSet& data, const SthsParams& params, const FitContext& context) {
  check(data, Supervision::labels, context.threads);
  require(params.bits < data.x.rows(),
          fmt::format("sths: {} bits need as many eigenvectors, but {} training rows give {}; use "
                      "fewer bits or more rows",
                      params.bits, data.x.rows(), data.x.rows() - 1));
  const LabelGroups groups = group_labels(data.labels);
  const auto learn = [&](const Matrix<float>& z) {
    const Matrix<float> codes = spectral_codes(z, groups, params, context.threads);
    report(context.on_progress, {"training", 1, 2, "spectral codes"});
    return fit_linear_svms(z, codes, {.trade_off = params.trade_off}, context.seed.fork("sths"),
                           context.threads);
  };
  Fitted fitted = fit_on_features(data.x, data.labels, params.features, context, learn);
  report(context.on_progress, {"training", 2, 2, "classifiers"});
  return make_model("sths", kSthsOptions, params, context.seed, std::move(fitted));
}

}  // namespace structhash
