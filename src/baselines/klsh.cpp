#include "baselines/klsh.hpp"

#include <algorithm>
#include <cmath>

#include "core/decompositions.hpp"
#include "hashing/radial_basis.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr double kMinEigenvalue = 1e-6;  // below it a kernel matrix of floats is rounding noise

/// K^(-1/2), with eigenvalues of K below kMinEigenvalue left out.
Matrix<double> inverse_root(const Matrix<double>& kernel, Threads threads) {
  const EigenPairs pairs = symmetric_eigen(kernel, threads);
  const Vector<double> gains = pairs.values.unaryExpr(
      [](double value) { return value > kMinEigenvalue ? 1.0 / std::sqrt(value) : 0.0; });
  return pairs.vectors * gains.asDiagonal() * pairs.vectors.transpose();
}

/// One column per bit: sqrt((p - 1) / t) at t random anchors, zero elsewhere.
Matrix<double> random_subsets(Index anchors, Index subset, Index bits, Seed seed) {
  Rng rng(seed);
  Matrix<double> subsets = Matrix<double>::Zero(anchors, bits);
  const double size = std::sqrt(std::max(to_double(anchors - 1), 1.0) / to_double(subset));
  for (Index bit = 0; bit < bits; ++bit) {
    for (const Index anchor : sample_without_replacement(anchors, subset, rng)) {
      subsets(anchor, bit) = size;
    }
  }
  return subsets;
}

}  // namespace

/// bit = [ w . (k(x) - m) > 0 ],   W = sqrt((p-1)/t) (H K H)^(-1/2) E   (docs/methods.md C.11)
///
/// H = I - 1/p: centres; m: mean of k over the anchors; E: indicators of t random anchors.  The
/// columns of H K H sum to zero, so H W = W and centring k(x) as K is centred leaves w . (k(x) -
/// m).
HashModel fit_klsh(const TrainingSet& data, const KlshParams& params, const FitContext& context) {
  check(data, Supervision::none, context.threads);
  const Shards rows(data.x.rows());
  const RadialBasis basis = make_radial_basis(
      random_rows(data.x, rows, params.anchors, context.seed.fork("klsh anchors")), data.x, rows,
      params.width);
  const Index count = basis.anchors.rows();
  const Matrix<double> kernel =
      kernel_responses(basis.anchors, basis.anchors, basis.gamma, context.threads).cast<double>();
  const Vector<double> mean = kernel.rowwise().mean();
  Matrix<double> centred = (kernel.colwise() - mean).rowwise() - mean.transpose();
  centred.array() += mean.mean();
  centred = (0.5 * (centred + centred.transpose())).eval();
  const Matrix<double> directions = (inverse_root(centred, context.threads) *
                                     random_subsets(count, std::min(params.subset, count),
                                                    params.bits, context.seed.fork("klsh")))
                                        .transpose();
  const Vector<double> offsets = -(directions * mean);
  KernelEncoder encoder{.anchors = basis.anchors,
                        .gamma = static_cast<float>(basis.gamma),
                        .directions = directions.cast<float>(),
                        .offsets = offsets.cast<float>()};
  return make_model("klsh", kKlshOptions, params, context.seed, std::move(encoder),
                    {{"anchors", count}});
}

}  // namespace structhash
