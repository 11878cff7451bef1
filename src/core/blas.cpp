#include "core/blas.hpp"

#include <cblas.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "structhash/core/error.hpp"

// Of OpenBLAS built for several processors; absent from other builds.
extern "C" {
[[gnu::weak]] void gotoblas_dynamic_init();
[[gnu::weak]] void gotoblas_dynamic_quit();
}

namespace structhash {
namespace {

/// OpenBLAS reads the name of the kernels from the environment, and only when it starts.
void choose_kernels() {
  constexpr const char* kVariable = "OPENBLAS_CORETYPE";
  const char* core = better_blas_core(openblas_get_corename());
  if (core == nullptr || std::getenv(kVariable) != nullptr || gotoblas_dynamic_init == nullptr ||
      gotoblas_dynamic_quit == nullptr) {
    return;
  }
  setenv(kVariable, core, 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(kVariable);
}

}  // namespace

void prepare_blas() {
  static const bool done = (choose_kernels(), openblas_set_num_threads(1), true);
  static_cast<void>(done);
}

const char* better_blas_core([[maybe_unused]] std::string_view core) {
#if defined(__x86_64__)
  constexpr std::array<std::string_view, 3> kWide{"SkylakeX", "Cooperlake", "SapphireRapids"};
  constexpr std::array<std::string_view, 3> kMiddle{"Haswell", "Zen", "Excavator"};
  const auto known = [core](const auto& names) {
    return std::ranges::find(names, core) != names.end();
  };
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return known(kWide) ? nullptr : "SkylakeX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return known(kMiddle) ? nullptr : "Haswell";
  }
#endif
  return nullptr;
}

int to_blas_int(Index value) {
  require(value <= INT32_MAX, "a matrix dimension is too large for BLAS");
  return static_cast<int>(value);
}

}  // namespace structhash
