#pragma once

#include <string_view>

#include "structhash/core/types.hpp"

/// What every call of OpenBLAS and LAPACK needs.
namespace structhash {

/// To be called before BLAS, which must not start threads: sums would depend on their number.
/// It also takes the widest kernels of the processor, which OpenBLAS misses on models that are
/// newer than itself (adr/0008).
void prepare_blas();

/// The kernels to take in place of `core`, the choice of OpenBLAS; null: none are wider.
const char* better_blas_core(std::string_view core);

int to_blas_int(Index value);

}  // namespace structhash
