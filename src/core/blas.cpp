#include "core/blas.hpp"

#include <cblas.h>

#include "structhash/core/error.hpp"

namespace structhash {

void use_single_threaded_blas() {
  static const bool done = (openblas_set_num_threads(1), true);
  static_cast<void>(done);
}

int to_blas_int(Index value) {
  require(value <= INT32_MAX, "a matrix dimension is too large for BLAS");
  return static_cast<int>(value);
}

}  // namespace structhash
