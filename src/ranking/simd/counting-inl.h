// Counting comparisons in vector lanes.  Included once per instruction set by Highway's
// foreach_target; the guard therefore toggles.
#if defined(STRUCTHASH_RANKING_SIMD_COUNTING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef STRUCTHASH_RANKING_SIMD_COUNTING_INL_H_
#undef STRUCTHASH_RANKING_SIMD_COUNTING_INL_H_
#else
#define STRUCTHASH_RANKING_SIMD_COUNTING_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <new>

#include "hwy/aligned_allocator.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace structhash {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Counts = hn::RebindToSigned<Floats>;       // one 32-bit count per float
using Counts16 = hn::Rebind<int16_t, Counts>;    // the same, narrowed
using FullCounts16 = hn::ScalableTag<int16_t>;

/// Length of a buffer that whole vectors of floats or of 16-bit counts may run over.
HWY_INLINE size_t padded(size_t items) {
  const size_t lanes = hn::Lanes(FullCounts16());
  return (items + lanes - 1) / lanes * lanes;
}

/// An aligned array of zeros.
template <typename T>
hwy::AlignedFreeUniquePtr<T[]> zeros(size_t count) {
  auto memory = hwy::AllocateAligned<T>(count);
  if (!memory) {
    throw std::bad_alloc();
  }
  std::fill(memory.get(), memory.get() + count, T{});
  return memory;
}

/// count + 1 in the lanes where the mask is set.
template <class D, class M>
HWY_INLINE hn::Vec<D> add_where(D d, M mask, hn::Vec<D> count) {
#if HWY_TARGET <= HWY_AVX3  // masks live in registers of their own: a masked addition
  return hn::IfThenElse(hn::RebindMask(d, mask), hn::Add(count, hn::Set(d, 1)), count);
#else  // a mask is a vector of 0 and -1
  return hn::Sub(count, hn::VecFromMask(d, hn::RebindMask(d, mask)));
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace structhash
HWY_AFTER_NAMESPACE();

#endif
