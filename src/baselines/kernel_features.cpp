#include "baselines/kernel_features.hpp"

#include <cmath>

#include "hashing/radial_basis.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// y = (f - mean) / r,  r^2 = mean ||f - mean||^2.
AffineMap fit_unit_spread(const MatrixView& features, Threads threads) {
  AffineMap map = fit_centre(features);
  const double squares = map.apply(features, threads).cast<double>().squaredNorm();
  const double spread = std::sqrt(squares / to_double(features.rows()));
  require(spread > 0.0, "all training rows are equal: there is nothing to learn from");
  map.scale = Vector<float>::Constant(features.cols(), static_cast<float>(1.0 / spread));
  return map;
}

LinearFunctions fit_centred(const MatrixView& features, Threads threads, const LinearFit& fit) {
  const AffineMap map = fit_unit_spread(features, threads);
  return fold(map, fit(map.apply(features, threads)));
}

}  // namespace

Encoder fit_on_features(const MatrixView& x, const FeatureParams& params, const FitContext& context,
                        const LinearFit& fit) {
  if (params.functions == Functions::linear) {
    const LinearFunctions functions = fit_centred(x, context.threads, fit);
    return LinearEncoder{functions.directions.cast<float>(), functions.offsets.cast<float>()};
  }
  RadialBasis basis =
      draw_radial_basis(x, params.anchors, params.width, context.seed.fork("anchors"));
  const LinearFunctions functions = fit_centred(
      kernel_responses(x, basis.anchors, basis.gamma, context.threads), context.threads, fit);
  return KernelEncoder{std::move(basis.anchors), static_cast<float>(basis.gamma),
                       functions.directions.cast<float>(), functions.offsets.cast<float>()};
}

}  // namespace structhash
