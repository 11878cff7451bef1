#pragma once

#include "structhash/core/parallel.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/core/types.hpp"

/// The rotation that brings points near the corners of a cube (docs/methods.md C.6): the second
/// half of ITQ and of CCA-ITQ.
namespace structhash {

struct RotationParams {
  Index iterations = 50;  // at most; stops when no sign changes
};

void check(const RotationParams& params);

/// R, columns of v x bits, for centred points v:  min ||sign(v R) - v R||^2  over orthonormal R.
/// With more bits than columns the rows of R are orthonormal: the same as rotating v with columns
/// of zeros appended.
Matrix<double> itq_rotation(const MatrixView& v, Index bits, const RotationParams& params,
                            Seed seed, Threads threads, const ProgressCallback& on_progress);

}  // namespace structhash
