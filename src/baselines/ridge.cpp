#include "baselines/ridge.hpp"

#include "core/linalg.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

RidgeRegression::RidgeRegression(const Matrix<float>& z, double ridge, Threads threads)
    : z_(z), threads_(threads) {
  require(ridge > 0.0, "ridge must be greater than 0");
  Eigen::MatrixXd gram = product_atb(z, z, threads) / to_double(z.rows());
  gram.diagonal().array() += ridge;
  factor_.compute(gram);
  if (factor_.info() != Eigen::Success) {
    fail(Errc::solver_failure,
         "ridge regression: the features are too close to singular; raise "
         "the ridge");
  }
}

LinearFunctions RidgeRegression::fit(const Matrix<float>& targets) const {
  const Eigen::MatrixXd moments = product_atb(z_, targets, threads_) / to_double(z_.rows());
  return {factor_.solve(moments).transpose(), targets.cast<double>().colwise().mean().transpose()};
}

Matrix<float> apply(const LinearFunctions& functions, const Matrix<float>& z, Threads threads) {
  Matrix<float> values = product_abt(z, functions.directions.cast<float>(), threads);
  values.rowwise() += functions.offsets.cast<float>().transpose();
  return values;
}

}  // namespace structhash
