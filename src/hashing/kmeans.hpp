#pragma once

#include <vector>

#include "structhash/core/parallel.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/core/types.hpp"

namespace structhash {

/// Lloyd's algorithm from random rows: `count` <= rows centres.  A centre that no row is nearest to
/// stays where it is.  Stops early when no row changes its centre.
Matrix<float> kmeans(const MatrixView& x, Index count, Index iterations, Seed seed, Threads threads,
                     const ProgressCallback& on_progress);

/// The row of `centres` that is nearest to each row of `x`; the first of equals.
std::vector<Index> nearest_centres(const MatrixView& x, const Matrix<float>& centres,
                                   Threads threads);

}  // namespace structhash
