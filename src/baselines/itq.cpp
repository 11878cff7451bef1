#include "baselines/itq.hpp"

#include <algorithm>

#include "baselines/rotation.hpp"
#include "data/preprocess.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
/// v = P^T (x - mean),  bits = [ v R > 0 ]   (docs/methods.md C.6)
///
/// P: the principal axes of largest variance, R: the rotation nearest to the corners of the cube.
HashModel fit_itq(const TrainingSet& data, const ItqParams& params, const FitContext& context) {
  check(data, Supervision::none, context.threads);
  const auto fit = [&](const Matrix<float>& z) {
    const Index components = std::min({params.bits, z.rows(), z.cols()});
    const AffineMap pca = fit_pca(z, components, context.threads);
    const Matrix<double> rotation =
        itq_rotation(pca.apply(z, context.threads), params.bits, {.iterations = params.iterations},
                     context.seed.fork("itq"), context.threads, context.on_progress);
    return fold(pca,
                {.directions = rotation.transpose(), .offsets = Vector<double>::Zero(params.bits)});
  };
  return make_model("itq", kItqOptions, params, context.seed,
                    fit_on_features(data.x, {}, params.features, context, fit));
}

}  // namespace structhash
