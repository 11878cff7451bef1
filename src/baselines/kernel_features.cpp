#include "baselines/kernel_features.hpp"

#include <cmath>

#include "hashing/families/dither.hpp"
#include "hashing/families/leave_one_out.hpp"
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

/// The fields of a model that say what was chosen.
nlohmann::json chosen(const FeatureParams& params, const KernelParams& kernel,
                      std::optional<double> ridge) {
  nlohmann::json learned = nlohmann::json::object();
  if (!params.width && params.functions == Functions::kernel) {
    learned["chosen"]["width"] = kernel.width;
  }
  if (!params.ridge && ridge) {
    learned["chosen"]["ridge"] = *ridge;
  }
  return learned;
}

/// Adds dither to functions of the components of a space, as StructHash does.
void dither_components(LinearFunctions& functions, const ResponseSpace& space, double ridge,
                       const FeatureParams& params, const Dither& dither) {
  const WhitenedDefaults& defaults = defaults_of(params.functions);
  add_dither(functions, space.spectrum().variances,
             {.ridge = defaults.ridge_per_regression * ridge, .power = defaults.power}, dither);
}

/// The same for functions of the features z themselves, which need not lie within the components.
void dither_features(LinearFunctions& functions, const Matrix<float>& z, const Labels& labels,
                     const FeatureParams& params, const FitContext& context) {
  const Shards shards(z.rows());
  const ResponseSpace space(z, shards, context.threads);
  const Matrix<double> axes = space.spectrum().directions.cast<double>();
  const LinearFunctions learned{functions.directions * axes, functions.offsets};
  LinearFunctions dithered = learned;
  dither_components(
      dithered, space,
      auto_regression_ridge(space, AutoTargets(labels, context.seed), context.threads), params,
      model_dither(params.dither, labels, shards, context.seed));
  functions.directions += (dithered.directions - learned.directions) * axes.transpose();
}

}  // namespace

KernelParams choose_kernel(const MatrixView& x, const AutoTargets& targets,
                           const FeatureParams& params, const FitContext& context) {
  KernelParams kernel{.anchors = params.anchors, .self_response = params.self_response};
  if (params.functions == Functions::kernel) {
    kernel.width = params.width ? *params.width
                                : auto_width(x, targets, kernel, context.seed, context.threads);
  }
  return kernel;
}

Fitted fit_on_features(const MatrixView& x, const Labels& labels, const FeatureParams& params,
                       const FitContext& context, const LinearFit& fit) {
  const KernelParams kernel = choose_kernel(x, AutoTargets(labels, context.seed), params, context);
  std::optional<RadialBasis> basis;
  Matrix<float> features;
  if (params.functions == Functions::kernel) {
    basis = draw_radial_basis(x, Shards(x.rows()), kernel.anchors, kernel.width,
                              context.seed.fork("anchors"), context.threads);
    features =
        training_responses(x, Shards(x.rows()), *basis, kernel.self_response, context.threads);
  } else {
    features = x;
  }
  const AffineMap map = fit_unit_spread(features, context.threads);
  const Matrix<float> z = map.apply(features, context.threads);
  LinearFunctions functions = fit(z);
  if (params.dither > 0.0) {
    dither_features(functions, z, labels, params, context);
  }
  return {make_encoder(basis, fold(map, functions)), chosen(params, kernel, {})};
}

Fitted fit_on_components(const TrainingSet& data, const FeatureParams& params,
                         const FitContext& context, const RidgedFit& fit) {
  const Shards shards(data.x.rows());
  const AutoTargets targets(data.labels, context.seed);
  const KernelParams kernel = choose_kernel(data.x, targets, params, context);
  const ResponseSpace space =
      params.functions == Functions::linear
          ? ResponseSpace(data.x, shards, context.threads)
          : ResponseSpace(data.x, shards, kernel, context.seed, context.threads);
  const double ridge =
      params.ridge ? *params.ridge : auto_regression_ridge(space, targets, context.threads);
  const Spectrum& spectrum = space.spectrum();
  const Vector<double>& variances = spectrum.variances;
  LinearFunctions functions = fit({space.components(), variances, ridge * variances(0)});
  dither_components(functions, space, ridge, params,
                    model_dither(params.dither, data.labels, shards, context.seed));
  const AffineMap map{.centre = spectrum.centre, .scale = {}, .matrix = spectrum.directions};
  return {make_encoder(space.basis(), fold(map, functions)), chosen(params, kernel, ridge)};
}

}  // namespace structhash
