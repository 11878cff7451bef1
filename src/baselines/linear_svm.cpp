#include "baselines/linear_svm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

/// Hyperplane with the offset as last entry.
Vector<float> fit_svm(const Matrix<float>& z, const Matrix<float>& signs, Index machine,
                      const SvmParams& params, Seed seed) {
  Rng rng(seed);
  std::vector<Index> order(static_cast<std::size_t>(z.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  Vector<float> v = Vector<float>::Zero(z.cols());
  float offset = 0.0F;
  Vector<float> alpha = Vector<float>::Zero(z.rows());
  const auto slope = static_cast<float>(0.5 / params.trade_off);
  const Vector<float> diagonal = z.rowwise().squaredNorm().array() + 1.0F + slope;
  for (int pass = 0; pass < params.passes; ++pass) {
    rng.shuffle(order);
    float largest = 0.0F;
    for (const Index row : order) {
      const float sign = signs(row, machine);
      const float gradient = sign * (z.row(row).dot(v) + offset) - 1.0F + slope * alpha(row);
      const float updated = std::max(0.0F, alpha(row) - gradient / diagonal(row));
      const float step = updated - alpha(row);
      largest = std::max(largest, std::abs(step) * diagonal(row));
      if (step != 0.0F) {
        v += (step * sign) * z.row(row).transpose();
        offset += step * sign;
        alpha(row) = updated;
      }
    }
    if (static_cast<double>(largest) < params.tolerance) {
      break;
    }
  }
  Vector<float> plane(z.cols() + 1);
  plane << v, offset;
  return plane;
}

}  // namespace

LinearFunctions fit_linear_svms(const Matrix<float>& z, const Matrix<float>& signs,
                                const SvmParams& params, Seed seed, Threads threads) {
  require(params.trade_off > 0.0 && params.passes >= 1,
          "a support vector machine needs a positive trade-off and at least one pass");
  LinearFunctions functions{Matrix<double>(signs.cols(), z.cols()), Vector<double>(signs.cols())};
  parallel_for(signs.cols(), threads, 1, [&](Index machine, Index) {
    const Vector<float> plane =
        fit_svm(z, signs, machine, params, seed.fork(static_cast<std::uint64_t>(machine)));
    functions.directions.row(machine) = plane.head(z.cols()).cast<double>();
    functions.offsets(machine) = static_cast<double>(plane(z.cols()));
  });
  return functions;
}

}  // namespace structhash
