#include "baselines/ridge.hpp"

#include <algorithm>

#include "core/linalg.hpp"

namespace structhash {

LinearFunctions ridge_regression(const RidgedFeatures& features, const Matrix<float>& targets,
                                 Threads threads) {
  const Matrix<double> moments =
      product_atb(features.z, targets, threads) / to_double(features.z.rows());
  const Vector<double> factors = (features.variances.array() + features.ridge).inverse();
  return {(factors.asDiagonal() * moments).transpose(),
          targets.cast<double>().colwise().mean().transpose()};
}

LinearFunctions fit_whitened(const RidgedFeatures& features, Index components,
                             const LinearFit& fit) {
  const Vector<double> all =
      scales(features.variances, {.ridge = features.ridge / features.variances(0), .power = 1.0});
  const Vector<double> factors = all.head(std::min(components, all.size()));
  const LinearFunctions white =
      fit(features.z.leftCols(factors.size()) * factors.cast<float>().asDiagonal());
  LinearFunctions functions{Matrix<double>::Zero(white.directions.rows(), features.z.cols()),
                            white.offsets};
  functions.directions.leftCols(factors.size()) = white.directions * factors.asDiagonal();
  return functions;
}

Matrix<float> apply(const LinearFunctions& functions, const Matrix<float>& z, Threads threads) {
  Matrix<float> values = product_abt(z, functions.directions.cast<float>(), threads);
  values.rowwise() += functions.offsets.cast<float>().transpose();
  return values;
}

}  // namespace structhash
