#include "structhash/hashing/families/kernel.hpp"

#include <algorithm>
#include <cmath>

#include "structhash/core/error.hpp"
#include "structhash/core/linalg.hpp"

namespace structhash {
namespace {

/// Mean of ||x_i - a_j||^2 over all rows and anchors, from means and norms alone.
double mean_squared_distance(const MatrixView& x, const MatrixView& anchors) {
  const auto norms = [](const MatrixView& m) {
    return m.cast<double>().rowwise().squaredNorm().mean();
  };
  const auto mean = [](const MatrixView& m) -> Vector<double> {
    return m.cast<double>().colwise().mean().transpose();
  };
  return norms(x) + norms(anchors) - 2.0 * mean(x).dot(mean(anchors));
}

}  // namespace

void check(const KernelFamilyParams& params) {
  require(params.anchors >= 1, "anchors must be at least 1");
  require(params.width > 0.0 && std::isfinite(params.width), "width must be a positive number");
  check(params.linear);
}

KernelFamily::KernelFamily(const MatrixView& x, const KernelFamilyParams& params, Seed seed,
                           int threads)
    : smooth_(params.linear.smooth) {
  check(params);
  Rng rng(seed.fork("anchors"));
  const Index count = std::min(params.anchors, x.rows());
  std::vector<Index> rows = sample_without_replacement(x.rows(), count, rng);
  std::ranges::sort(rows);
  anchors_ = x(rows, Eigen::all);
  const double spread = mean_squared_distance(x, anchors_);
  require(spread > 0.0, "all training rows are equal: there is nothing to learn from");
  gamma_ = 1.0 / (2.0 * params.width * spread);
  const Matrix<float> responses = kernel_responses(x, anchors_, gamma_, threads);
  map_ = fit_soft_whitening(responses, params.linear.ridge, params.linear.power, threads);
  z_ = map_.apply(responses, threads);
}

LearnedBit KernelFamily::best(const PairForm& form, Seed seed, int threads) const {
  return fit_smooth_bit(z_, form, smooth_, seed, threads);
}

Encoder KernelFamily::assemble(std::span<const LearnedBit> bits) const {
  const LinearFunctions functions = fold_bits(map_, bits);
  return KernelEncoder{anchors_, static_cast<float>(gamma_), functions.directions.cast<float>(),
                       functions.offsets.cast<float>()};
}

}  // namespace structhash
