#include <algorithm>
#include <limits>
#include <numeric>

#include "ranking/simd/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ranking/simd/pairs_batch.cc"
#include "hwy/foreach_target.h"  // compiles the rest of this file once per instruction set
#include "hwy/highway.h"
#include "ranking/simd/aligned.hpp"
#include "ranking/simd/finite-inl.h"

HWY_BEFORE_NAMESPACE();
namespace structhash {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Counts = hn::RebindToSigned<Floats>;  // one 32-bit count per float

/// The mask of one vector, a bit per lane; a narrower vector leaves the upper bits 0.
using MaskWord = uint16_t;
using MaskWords = hn::ScalableTag<MaskWord>;

/// The threshold of a relevant item: the largest float at or below d + 1/2, so that for a float e
/// "e <= threshold" is exactly "e <= d + 1/2", whatever the sum rounds to.
HWY_INLINE hn::Vec<Floats> threshold(hn::Vec<Floats> distance) {
  const Floats df;
  const Counts di;
  const auto half = hn::Set(df, 0.5F);
  // Knuth's two-sum: the error of the rounded sum, exactly.
  const auto sum = hn::Add(distance, half);
  const auto half_used = hn::Sub(sum, distance);
  const auto distance_used = hn::Sub(sum, half_used);
  const auto error = hn::Add(hn::Sub(distance, distance_used), hn::Sub(half, half_used));
  // One step down where rounding went up: the bits of a float ascend with its magnitude.
  const auto positive = hn::RebindMask(di, hn::Gt(sum, hn::Zero(df)));
  const auto step = hn::IfThenElse(positive, hn::Set(di, -1), hn::Set(di, 1));
  const auto went_up = hn::RebindMask(di, hn::Lt(error, hn::Zero(df)));
  return hn::BitCast(df, hn::Add(hn::BitCast(di, sum), hn::IfThenElseZero(went_up, step)));
}

/// count + 1 in the lanes where the mask is set.
template <class M>
HWY_INLINE hn::Vec<Counts> add_where(M mask, hn::Vec<Counts> count) {
  const Counts d;
#if HWY_TARGET <= HWY_AVX3  // masks live in registers of their own: a masked addition
  return hn::IfThenElse(hn::RebindMask(d, mask), hn::Add(count, hn::Set(d, 1)), count);
#else  // a mask is a vector of 0 and -1
  return hn::Sub(count, hn::VecFromMask(d, hn::RebindMask(d, mask)));
#endif
}

/// Row oracle for AUC (docs/methods.md B.3): pair (j, k) is mis-ordered exactly when
/// e_k <= d_j + 1/2, so both counts of A.7 are plain counts and nothing is sorted.
///
/// One comparison per pair serves both: lanes are irrelevant items, where a masked addition counts
/// PA; the masks are kept as bits, and counting those gives NB.  Four vectors share a threshold.
class Pairs {
 public:
  Pairs(size_t relevant, size_t irrelevant)
      : P_(relevant),
        N_(irrelevant),
        plane_(hwy::RoundUpTo(P_, hn::Lanes(MaskWords()))),
        limits_(simd::filled(padded(P_), 0.0F)),
        irrelevant_(simd::filled(padded(N_), std::numeric_limits<float>::infinity())),
        masks_(simd::filled(kVectors * plane_, MaskWord{0})),
        before_(simd::filled(plane_, uint16_t{0})),
        behind_(simd::filled(padded(N_), int32_t{0})) {}

  /// Returns the number of mis-ordered pairs.
  uint64_t run(const float* distances, uint16_t* inversions) {
    const Floats df;
    std::copy_n(distances, P_, limits_.get());
    std::copy_n(distances + P_, N_, irrelevant_.get());  // infinity behind: in no pair
    for (size_t j = 0; j < P_; j += hn::Lanes(df)) {
      hn::Store(threshold(hn::Load(df, limits_.get() + j)), df, limits_.get() + j);
    }
    std::fill_n(before_.get(), P_, uint16_t{0});
    for (size_t k = 0; k < N_; k += block()) {
      compare_block(k);
      count_masks();
    }
    std::copy_n(before_.get(), P_, inversions);
    std::transform(behind_.get(), behind_.get() + N_, inversions + P_,
                   [](int32_t count) { return static_cast<uint16_t>(count); });
    return std::accumulate(before_.get(), before_.get() + P_, uint64_t{0});
  }

 private:
  static constexpr size_t kVectors = 4;
  static HWY_INLINE size_t block() { return kVectors * hn::Lanes(Floats()); }
  static size_t padded(size_t items) { return hwy::RoundUpTo(items, block()); }

  /// All relevant items against four vectors of irrelevant ones, from k on.
  void compare_block(size_t k) {
    const Floats df;
    const Counts di;
    const size_t lanes = hn::Lanes(df);
    const float* HWY_RESTRICT limits = limits_.get();
    // One plane per vector: stores side by side would be merged through general registers.
    MaskWord* HWY_RESTRICT mask0 = masks_.get();
    MaskWord* HWY_RESTRICT mask1 = mask0 + plane_;
    MaskWord* HWY_RESTRICT mask2 = mask1 + plane_;
    MaskWord* HWY_RESTRICT mask3 = mask2 + plane_;
    const auto e0 = hn::Load(df, irrelevant_.get() + k);
    const auto e1 = hn::Load(df, irrelevant_.get() + k + lanes);
    const auto e2 = hn::Load(df, irrelevant_.get() + k + 2 * lanes);
    const auto e3 = hn::Load(df, irrelevant_.get() + k + 3 * lanes);
    auto count0 = hn::Zero(di);
    auto count1 = hn::Zero(di);
    auto count2 = hn::Zero(di);
    auto count3 = hn::Zero(di);
    for (size_t j = 0; j < P_; ++j) {
      const auto limit = hn::Set(df, limits[j]);
      const auto wrong0 = hn::Le(e0, limit);
      const auto wrong1 = hn::Le(e1, limit);
      const auto wrong2 = hn::Le(e2, limit);
      const auto wrong3 = hn::Le(e3, limit);
      count0 = add_where(wrong0, count0);
      count1 = add_where(wrong1, count1);
      count2 = add_where(wrong2, count2);
      count3 = add_where(wrong3, count3);
      hn::StoreMaskBits(df, wrong0, reinterpret_cast<uint8_t*>(mask0 + j));
      hn::StoreMaskBits(df, wrong1, reinterpret_cast<uint8_t*>(mask1 + j));
      hn::StoreMaskBits(df, wrong2, reinterpret_cast<uint8_t*>(mask2 + j));
      hn::StoreMaskBits(df, wrong3, reinterpret_cast<uint8_t*>(mask3 + j));
    }
    hn::Store(count0, di, behind_.get() + k);
    hn::Store(count1, di, behind_.get() + k + lanes);
    hn::Store(count2, di, behind_.get() + k + 2 * lanes);
    hn::Store(count3, di, behind_.get() + k + 3 * lanes);
  }

  /// NB of every relevant item grows by the set bits of its four masks.
  void count_masks() {
    const MaskWords dm;
    for (size_t j = 0; j < P_; j += hn::Lanes(dm)) {
      auto count = hn::Load(dm, before_.get() + j);
      for (size_t vector = 0; vector < kVectors; ++vector) {
        const auto masks = hn::Load(dm, masks_.get() + vector * plane_ + j);
        count = hn::Add(count, hn::PopulationCount(masks));
      }
      hn::Store(count, dm, before_.get() + j);
    }
  }

  size_t P_;
  size_t N_;
  size_t plane_;                          // masks of one vector for every relevant item, padded
  simd::AlignedArray<float> limits_;      // thresholds of the relevant items
  simd::AlignedArray<float> irrelevant_;  // distances
  simd::AlignedArray<MaskWord> masks_;    // kVectors planes: bit = lane
  simd::AlignedArray<uint16_t> before_;   // NB
  simd::AlignedArray<int32_t> behind_;    // PA
};

/// Loss, Eq. (18) and (19): mis-ordered pairs / (P N).
bool pairs_all(const simd::ListBatch& batch) {
  constexpr size_t kChecked = 16;  // lists checked at once: few reductions, still in the cache
  Pairs pairs(batch.relevant, batch.irrelevant);
  const double all = static_cast<double>(batch.relevant) * static_cast<double>(batch.irrelevant);
  for (size_t list = 0; list < batch.lists; ++list) {
    const size_t start = list * batch.items();
    const size_t ahead = HWY_MIN(kChecked, batch.lists - list);
    if (list % kChecked == 0 && !all_finite(batch.distances + start, ahead * batch.items())) {
      return false;
    }
    const uint64_t wrong = pairs.run(batch.distances + start, batch.inversions + start);
    batch.losses[list] = static_cast<double>(wrong) / all;
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace structhash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash {
HWY_EXPORT(pairs_all);

bool simd::most_violated_pairs(const ListBatch& batch) {
  return HWY_DYNAMIC_DISPATCH(pairs_all)(batch);
}

}  // namespace structhash
#endif
