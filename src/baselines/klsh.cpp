#include "baselines/klsh.hpp"
#include "hashing/radial_basis.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/linalg.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr double kMinEigenvalue = 1e-8;  // below it the kernel matrix is rounding noise

class Klsh final : public Hasher {
 public:
  explicit Klsh(const KlshParams& params) : params_(params) { check(params); }
  HashModel fit(const TrainingSet& data, const FitContext& context) const override {
    return fit_klsh(data, params_, context);
  }

 private:
  KlshParams params_;
};

/// K^(-1/2) without the directions in which K is next to nothing.
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

void check(const KlshParams& params) {
  require(params.bits >= 1, "klsh: bits must be at least 1");
  require(params.anchors >= 2, "klsh: anchors must be at least 2");
  require(params.subset >= 1, "klsh: subset must be at least 1");
  require(params.width > 0.0 && std::isfinite(params.width),
          "klsh: width must be a positive number");
}

/// bit = [ w . (k(x) - m) > 0 ],   W = sqrt((p-1)/t) (H K H)^(-1/2) E   (docs/methods.md C.11)
///
/// H = I - 1/p: centres; m: mean of k over the anchors; E: indicators of t random anchors.  The
/// columns of H K H sum to zero, so H W = W and centring k(x) as K is centred leaves w . (k(x) -
/// m).
HashModel fit_klsh(const TrainingSet& data, const KlshParams& params, const FitContext& context) {
  check(params);
  check(data, Supervision::none, context.threads);
  const RadialBasis basis =
      draw_radial_basis(data.x, params.anchors, params.width, context.seed.fork("klsh anchors"));
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
  const nlohmann::json parameters{{"bits", params.bits},
                                  {"anchors", count},
                                  {"subset", params.subset},
                                  {"width", params.width},
                                  {"seed", context.seed.value}};
  return {.method = "klsh",
          .parameters = parameters.dump(),
          .encoder = KernelEncoder{.anchors = basis.anchors,
                                   .gamma = static_cast<float>(basis.gamma),
                                   .directions = directions.cast<float>(),
                                   .offsets = offsets.cast<float>()},
          .bit_weights = {}};
}

std::unique_ptr<Hasher> make_klsh(const MethodOptions& options) {
  OptionReader reader("klsh", options);
  const KlshParams missing;
  const KlshParams params{.bits = options.bits,
                          .anchors = reader.integer("anchors", missing.anchors),
                          .subset = reader.integer("subset", missing.subset),
                          .width = reader.number("width", missing.width)};
  reader.finish();
  return std::make_unique<Klsh>(params);
}

}  // namespace structhash
