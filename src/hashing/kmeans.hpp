#pragma once

#include "structhash/core/parallel.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/core/types.hpp"

namespace structhash {

/// Lloyd's algorithm from random rows: `count` <= rows centres.  A centre that no row is nearest to
/// stays where it is.  Stops early when no row changes its centre.
Matrix<float> kmeans(const MatrixView& x, Index count, Index iterations, Seed seed, Threads threads,
                     const ProgressCallback& on_progress);

}  // namespace structhash
