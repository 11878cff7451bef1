#include "baselines/ridge.hpp"

#include "core/linalg.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

Matrix<double> ridged_covariance(const Matrix<float>& centred, double ridge, Threads threads) {
  Matrix<double> covariance = product_atb(centred, centred, threads) / to_double(centred.rows());
  covariance.diagonal().array() += ridge;
  return covariance;
}

RidgeRegression::RidgeRegression(const Matrix<float>& z, double ridge, Threads threads)
    : z_(z), threads_(threads), factor_(ridged_covariance(z, ridge, threads)) {
  require(ridge > 0.0, "ridge must be greater than 0");
  if (!factor_.succeeded()) {
    fail(Errc::solver_failure,
         "ridge regression: the features are too close to singular; raise "
         "the ridge");
  }
}

LinearFunctions RidgeRegression::fit(const Matrix<float>& targets) const {
  const Matrix<double> moments = product_atb(z_, targets, threads_) / to_double(z_.rows());
  return {factor_.solve(moments).transpose(), targets.cast<double>().colwise().mean().transpose()};
}

Matrix<float> apply(const LinearFunctions& functions, const Matrix<float>& z, Threads threads) {
  Matrix<float> values = product_abt(z, functions.directions.cast<float>(), threads);
  values.rowwise() += functions.offsets.cast<float>().transpose();
  return values;
}

}  // namespace structhash
