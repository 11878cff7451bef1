#pragma once

#include <span>
#include <vector>

#include "structhash/core/parallel.hpp"
#include "structhash/data/dataset.hpp"

/// How well a ridge regression of the classes on some features guesses rows that it has not seen,
/// in closed form (docs/adr/0020).
namespace structhash {

/// Mean squared error per ridge, of every row left out in turn.  A ridge is relative to the largest
/// variance, as in fit_soft_whitening.  Of many labels the most frequent ones are guessed.
std::vector<double> leave_one_out_errors(const MatrixView& features, const Labels& labels,
                                         std::span<const double> ridges, Threads threads);

/// The ridge with the smallest error.
double leave_one_out_ridge(const MatrixView& features, const Labels& labels, Threads threads);

}  // namespace structhash
