#pragma once

#include "structhash/core/types.hpp"

/// What every call of OpenBLAS and LAPACK needs.
namespace structhash {

/// BLAS must not start threads: sums would depend on their number.
void use_single_threaded_blas();

int to_blas_int(Index value);

}  // namespace structhash
