#pragma once

#include <span>
#include <vector>

#include "hashing/families/response_space.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/data/dataset.hpp"

/// Leave-one-out errors of ridge regressions on the features, in closed form (docs/adr/0018).
namespace structhash {

/// What hash functions have to find: random partitions of the classes, rows x targets.  A row has
/// the sum of the random signs of its labels.
///
///   E ||e(targets)||^2  is proportional to  ||e(label indicators)||^2
///
/// for any residual e that is linear in the targets, however many labels there are.
Matrix<float> partition_targets(const Labels& labels, Seed seed);

/// Mean squared error per ridge, every row left out in turn; of many rows, a sample of them.
/// The fit weighs components by their share under a whitening with this ridge and `power`.
std::vector<double> leave_one_out_errors(const ResponseSpace& space, const Matrix<float>& targets,
                                         std::span<const double> ridges, double power,
                                         Threads threads);

struct RidgeChoice {
  double ridge;
  double error;
};

/// The ridge with the smallest error, of 25 from 1e-7 to 0.1.
RidgeChoice leave_one_out_ridge(const ResponseSpace& space, const Matrix<float>& targets,
                                double power, Threads threads);

/// The kernel width with the smallest error on a sample of the rows, or that of `params` unless the
/// error falls by a tenth: widths near the default do equally well on most data.
double leave_one_out_width(const MatrixView& x, const Labels& labels, const KernelParams& params,
                           Seed seed, Threads threads);

/// What `ridge: auto` and `width: auto` mean, for every method alike; `seed` is that of the fit.
/// Without labels there is nothing to choose by.

/// Of a regression on the features: shares of power 1.
double auto_regression_ridge(const ResponseSpace& space, const Labels& labels, Seed seed,
                             Threads threads);
/// Of the soft whitening that bits are learned on one by one.
double auto_whitening_ridge(const ResponseSpace& space, const Labels& labels, Functions functions,
                            Seed seed, Threads threads);
/// Without labels: the width of `params`.
double auto_width(const MatrixView& x, const Labels& labels, const KernelParams& params, Seed seed,
                  Threads threads);

}  // namespace structhash
