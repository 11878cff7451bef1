// A check for infinities and not-a-numbers at the speed of the cache.  Included once per
// instruction set by Highway's foreach_target; the guard therefore toggles.
#if defined(STRUCTHASH_RANKING_SIMD_FINITE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef STRUCTHASH_RANKING_SIMD_FINITE_INL_H_
#undef STRUCTHASH_RANKING_SIMD_FINITE_INL_H_
#else
#define STRUCTHASH_RANKING_SIMD_FINITE_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "ranking/simd/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace structhash {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;

/// x - x is 0 for a finite x and not a number otherwise, and that survives every addition.
HWY_INLINE bool all_finite(const float* values, size_t count) {
  const Floats df;
  const size_t lanes = hn::Lanes(df);
  auto sum = hn::Zero(df);
  size_t l = 0;
  for (; l + lanes <= count; l += lanes) {
    const auto x = hn::LoadU(df, values + l);
    sum = hn::Add(sum, hn::Sub(x, x));
  }
  float rest = hn::GetLane(hn::SumOfLanes(df, sum));
  for (; l < count; ++l) {
    rest += values[l] - values[l];
  }
  return rest == 0.0F;
}

/// Calls run(first, count) for blocks of lists, in order; false at the first block with a distance
/// that is not finite.
template <typename Run>
HWY_INLINE bool for_each_finite_block(const simd::ListBatch& batch, size_t block, Run run) {
  for (size_t first = 0; first < batch.lists; first += block) {
    const size_t count = HWY_MIN(block, batch.lists - first);
    if (!all_finite(batch.distances + first * batch.items(), count * batch.items())) {
      return false;
    }
    run(first, count);
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace structhash
HWY_AFTER_NAMESPACE();

#endif
