#include "baselines/itq.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "baselines/rotation.hpp"
#include "data/preprocess.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

class Itq final : public Hasher {
 public:
  explicit Itq(const ItqParams& params) : params_(params) { check(params); }
  HashModel fit(const TrainingSet& data, const FitContext& context) const override {
    return fit_itq(data, params_, context);
  }

 private:
  ItqParams params_;
};

}  // namespace

void check(const ItqParams& params) {
  require(params.bits >= 1, "itq: bits must be at least 1");
  require(params.iterations >= 0, "itq: iterations must be at least 0");
  check(params.features);
}

/// v = P^T (x - mean),  bits = [ v R > 0 ]   (docs/methods.md C.6)
///
/// P: the principal axes of largest variance, R: the rotation nearest to the corners of the cube.
HashModel fit_itq(const TrainingSet& data, const ItqParams& params, const FitContext& context) {
  check(params);
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
  const nlohmann::json parameters{{"bits", params.bits},
                                  {"iterations", params.iterations},
                                  {"functions", params.features.functions},
                                  {"seed", context.seed.value}};
  return {.method = "itq",
          .parameters = parameters.dump(),
          .encoder = fit_on_features(data.x, params.features, context, fit),
          .bit_weights = {}};
}

std::unique_ptr<Hasher> make_itq(const MethodOptions& options) {
  OptionReader reader("itq", options);
  const ItqParams params{.bits = options.bits,
                         .iterations = reader.integer("iterations", 50),
                         .features = read_features(reader)};
  reader.finish();
  return std::make_unique<Itq>(params);
}

}  // namespace structhash
