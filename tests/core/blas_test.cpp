#include "core/blas.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

extern "C" char* openblas_get_corename();

namespace structhash {
namespace {

TEST(Blas, TakesTheWidestKernelsOfTheProcessor) {
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) {
    GTEST_SKIP() << "OPENBLAS_CORETYPE names the kernels";
  }
  prepare_blas();
  EXPECT_EQ(better_blas_core(openblas_get_corename()), nullptr) << openblas_get_corename();
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr) << "left as it was";
}

TEST(Blas, PrefersWiderKernelsOnly) {
  EXPECT_EQ(better_blas_core("SkylakeX"), nullptr);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    EXPECT_NE(better_blas_core("Prescott"), nullptr);
  }
#endif
}

}  // namespace
}  // namespace structhash
