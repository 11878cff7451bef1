#pragma once

#include "baselines/kernel_features.hpp"

/// Ridge regression on principal components, for many targets at once.
namespace structhash {

/// One function per column of the targets, rows x functions:
///
///   min_v  1/n sum_i (v . z_i + o - t_i)^2 + ridge ||v||^2,     z centred, so that o = mean(t)
LinearFunctions ridge_regression(const RidgedFeatures& features, const Matrix<float>& targets,
                                 Threads threads);

/// Learns on at most `components` components of unit variance, faded by the ridge; those with less
/// than 1e-3 of it are left out, as in every soft whitening.
LinearFunctions fit_whitened(const RidgedFeatures& features, Index components,
                             const LinearFit& fit);

/// Values of the functions: rows x functions.
Matrix<float> apply(const LinearFunctions& functions, const Matrix<float>& z, Threads threads);

}  // namespace structhash
