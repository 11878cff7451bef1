#pragma once

#include <span>
#include <vector>

#include "hashing/families/response_space.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/data/dataset.hpp"

/// Leave-one-out errors of a ridge regression of the classes on the features, in closed form
/// (docs/adr/0020).
namespace structhash {

/// Mean squared error per ridge, every row left out in turn; ridges are relative to the largest
/// variance, as in ResponseSpace::whitened.  Of many labels the most frequent are predicted.
std::vector<double> leave_one_out_errors(const ResponseSpace& space, const Labels& labels,
                                         std::span<const double> ridges, Threads threads);

/// The ridge with the smallest error.
double leave_one_out_ridge(const ResponseSpace& space, const Labels& labels, Threads threads);

}  // namespace structhash
