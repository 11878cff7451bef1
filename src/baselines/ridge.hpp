#pragma once

#include "core/decompositions.hpp"
#include "data/preprocess.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/types.hpp"

/// Ridge regression on centred features, for many targets at once.
namespace structhash {

///   min_v  1/n sum_i (v . z_i + o - t_i)^2 + ridge ||v||^2,     z centred, so that o = mean(t)
///
/// The factor of Z'Z/n + ridge I is made once; every `fit` is then two products.
class RidgeRegression {
 public:
  /// Keeps a reference to z, rows x features.
  RidgeRegression(const Matrix<float>& z, double ridge, Threads threads);
  /// One function per column of the targets, rows x functions.
  LinearFunctions fit(const Matrix<float>& targets) const;

 private:
  const Matrix<float>& z_;
  Threads threads_;
  Cholesky factor_;
};

/// Z'Z/n + ridge I.
Matrix<double> ridged_covariance(const Matrix<float>& centred, double ridge, Threads threads);

/// Values of the functions: rows x functions.
Matrix<float> apply(const LinearFunctions& functions, const Matrix<float>& z, Threads threads);

}  // namespace structhash
