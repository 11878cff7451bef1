// Ranks of a short list without a sort: an item's rank is the number of items before it.
#if defined(STRUCTHASH_RANKING_SIMD_RANK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef STRUCTHASH_RANKING_SIMD_RANK_INL_H_
#undef STRUCTHASH_RANKING_SIMD_RANK_INL_H_
#else
#define STRUCTHASH_RANKING_SIMD_RANK_INL_H_
#endif

#include "ranking/simd/counting-inl.h"

HWY_BEFORE_NAMESPACE();
namespace structhash {
namespace HWY_NAMESPACE {

/// ranks[l] = #{m : x[m] < x[l], or x[m] = x[l] and m < l}: a stable sort's position, from 0.
///
/// Both arrays are aligned and padded(n) long; what stands behind n does not matter.
/// Why not a sort: n^2 comparisons without a branch, 16 at a time, beat n log n with one
/// mispredicted branch each up to some hundred items.
/// Cost: n^2 / lanes compare-and-add.
HWY_INLINE void rank_by_counting(const float* HWY_RESTRICT x, size_t n,
                                 int16_t* HWY_RESTRICT ranks) {
  const Floats df;
  const Counts di;
  const Counts16 d16;
  const size_t lanes = hn::Lanes(df);
  const auto position = hn::Iota(di, 0);
  for (size_t first = 0; first < n; first += lanes) {
    const auto own = hn::Load(df, x + first);
    auto count = hn::Zero(di);
    for (size_t m = 0; m < first; ++m) {  // positions before these lanes: ties count
      count = add_where(di, hn::Le(hn::Set(df, x[m]), own), count);
    }
    const size_t end = HWY_MIN(first + lanes, n);
    for (size_t m = first; m < end; ++m) {  // these lanes themselves
      const auto other = hn::Set(df, x[m]);
      const auto later = hn::Gt(position, hn::Set(di, static_cast<int32_t>(m - first)));
      const auto tie = hn::And(hn::Eq(other, own), hn::RebindMask(df, later));
      count = add_where(di, hn::Or(hn::Lt(other, own), tie), count);
    }
    for (size_t m = end; m < n; ++m) {  // positions behind: ties do not count
      count = add_where(di, hn::Lt(hn::Set(df, x[m]), own), count);
    }
    hn::Store(hn::DemoteTo(d16, count), d16, ranks + first);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace structhash
HWY_AFTER_NAMESPACE();

#endif
