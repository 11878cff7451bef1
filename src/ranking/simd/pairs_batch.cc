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
/// PA; the masks are kept as bits, and counting those gives NB.  Up to four vectors share a
/// threshold.  The few irrelevant items that fill no vector change roles with the relevant ones.
class Pairs {
 public:
  Pairs(size_t relevant, size_t irrelevant)
      : P_(relevant),
        N_(irrelevant),
        plane_(hwy::RoundUpTo(P_, hn::Lanes(MaskWords()))),
        limits_(simd::filled(plane_, -std::numeric_limits<float>::infinity())),
        masks_(simd::filled(kVectors * plane_, MaskWord{0})),
        before_(simd::filled(plane_, uint16_t{0})) {}

  /// Returns the number of mis-ordered pairs.
  uint32_t run(const float* distances, uint16_t* inversions) {
    set_limits(distances);
    std::fill_n(before_.get(), P_, uint16_t{0});
    compare(distances + P_, inversions + P_);
    std::copy_n(before_.get(), P_, inversions);
    return std::accumulate(before_.get(), before_.get() + P_, uint32_t{0});
  }

 private:
  static constexpr size_t kVectors = 4;
  static HWY_INLINE size_t lanes() { return hn::Lanes(Floats()); }

  /// Thresholds of the relevant items; behind them stay infinities, which are in no pair.
  void set_limits(const float* HWY_RESTRICT distances) {
    const Floats df;
    float* HWY_RESTRICT limits = limits_.get();
    if (P_ < lanes()) {
      std::copy_n(distances, P_, limits);
      hn::Store(threshold(hn::Load(df, limits)), df, limits);
      return;
    }
    for (size_t j = 0; j + lanes() <= P_; j += lanes()) {
      hn::StoreU(threshold(hn::LoadU(df, distances + j)), df, limits + j);
    }
    // The last vector may overlap the one before it, and finds the same there.
    const size_t last = P_ - lanes();
    hn::StoreU(threshold(hn::LoadU(df, distances + last)), df, limits + last);
  }

  /// Every relevant item against every irrelevant one; `behind` takes PA.
  void compare(const float* irrelevant, uint16_t* behind) {
    size_t k = 0;
    for (; k + kVectors * lanes() <= N_; k += kVectors * lanes()) {
      compare_vectors<kVectors>(irrelevant + k, behind + k);
    }
    const size_t vectors = (N_ - k) / lanes();
    if (vectors == 3) {
      compare_vectors<3>(irrelevant + k, behind + k);
    } else if (vectors == 2) {
      compare_vectors<2>(irrelevant + k, behind + k);
    } else if (vectors == 1) {
      compare_vectors<1>(irrelevant + k, behind + k);
    }
    k += vectors * lanes();
    if (k < N_) {
      compare_rest(irrelevant + k, N_ - k, behind + k);
    }
  }

  /// All relevant items against kCount vectors of irrelevant ones.
  template <size_t kCount>
  void compare_vectors(const float* HWY_RESTRICT e, uint16_t* HWY_RESTRICT behind) {
    static_assert(kCount >= 1 && kCount <= kVectors);
    const Floats df;
    const Counts di;
    const hn::Rebind<uint16_t, Floats> d16;
    const float* HWY_RESTRICT limits = limits_.get();
    // One plane per vector: stores side by side would be merged through general registers.
    MaskWord* HWY_RESTRICT masks = masks_.get();
    const size_t plane = plane_;
    const auto e0 = hn::LoadU(df, e);
    const auto e1 = kCount > 1 ? hn::LoadU(df, e + lanes()) : e0;
    const auto e2 = kCount > 2 ? hn::LoadU(df, e + 2 * lanes()) : e0;
    const auto e3 = kCount > 3 ? hn::LoadU(df, e + 3 * lanes()) : e0;
    auto count0 = hn::Zero(di);
    auto count1 = hn::Zero(di);
    auto count2 = hn::Zero(di);
    auto count3 = hn::Zero(di);
    for (size_t j = 0; j < P_; ++j) {
      const auto limit = hn::Set(df, limits[j]);
      count0 = count_wrong(hn::Le(e0, limit), count0, masks + j);
      if constexpr (kCount > 1) {
        count1 = count_wrong(hn::Le(e1, limit), count1, masks + plane + j);
      }
      if constexpr (kCount > 2) {
        count2 = count_wrong(hn::Le(e2, limit), count2, masks + 2 * plane + j);
      }
      if constexpr (kCount > 3) {
        count3 = count_wrong(hn::Le(e3, limit), count3, masks + 3 * plane + j);
      }
    }
    hn::StoreU(hn::DemoteTo(d16, count0), d16, behind);
    if constexpr (kCount > 1) {
      hn::StoreU(hn::DemoteTo(d16, count1), d16, behind + lanes());
    }
    if constexpr (kCount > 2) {
      hn::StoreU(hn::DemoteTo(d16, count2), d16, behind + 2 * lanes());
    }
    if constexpr (kCount > 3) {
      hn::StoreU(hn::DemoteTo(d16, count3), d16, behind + 3 * lanes());
    }
    count_masks(kCount);
  }

  template <class M>
  static HWY_INLINE hn::Vec<Counts> count_wrong(M wrong, hn::Vec<Counts> count, MaskWord* bits) {
    hn::StoreMaskBits(Floats(), wrong, reinterpret_cast<uint8_t*>(bits));
    return add_where(wrong, count);
  }

  /// NB of every relevant item grows by the set bits of its masks.
  void count_masks(size_t vectors) {
    const MaskWords dm;
    for (size_t j = 0; j < P_; j += hn::Lanes(dm)) {
      auto count = hn::Load(dm, before_.get() + j);
      for (size_t vector = 0; vector < vectors; ++vector) {
        const auto masks = hn::Load(dm, masks_.get() + vector * plane_ + j);
        count = hn::Add(count, hn::PopulationCount(masks));
      }
      hn::Store(count, dm, before_.get() + j);
    }
  }

  /// Irrelevant items that fill no vector, one by one against vectors of relevant ones.
  void compare_rest(const float* e, size_t rest, uint16_t* behind) {
    const Floats df;
    const hn::Rebind<uint16_t, Floats> d16;
    std::fill_n(behind, rest, uint16_t{0});
    for (size_t j = 0; j < P_; j += lanes()) {
      const auto limits = hn::Load(df, limits_.get() + j);
      auto count = hn::Zero(Counts());
      for (size_t k = 0; k < rest; ++k) {
        const auto wrong = hn::Le(hn::Set(df, e[k]), limits);
        count = add_where(wrong, count);
        behind[k] = static_cast<uint16_t>(behind[k] + hn::CountTrue(df, wrong));
      }
      uint16_t* before = before_.get() + j;
      hn::Store(hn::Add(hn::Load(d16, before), hn::DemoteTo(d16, count)), d16, before);
    }
  }

  size_t P_;
  size_t N_;
  size_t plane_;                         // masks of one vector for every relevant item, padded
  simd::AlignedArray<float> limits_;     // thresholds of the relevant items
  simd::AlignedArray<MaskWord> masks_;   // kVectors planes: bit = lane
  simd::AlignedArray<uint16_t> before_;  // NB
};

/// Loss, Eq. (18) and (19): mis-ordered pairs / (P N).
bool pairs_all(const simd::ListBatch& batch) {
  constexpr size_t kBlock = 16;  // lists checked at once: few reductions, still in the cache
  Pairs pairs(batch.relevant, batch.irrelevant);
  const double all = static_cast<double>(batch.relevant) * static_cast<double>(batch.irrelevant);
  return for_each_finite_block(batch, kBlock, [&](size_t first, size_t count) {
    for (size_t list = first; list < first + count; ++list) {
      const size_t start = list * batch.items();
      const uint32_t wrong = pairs.run(batch.distances + start, batch.inversions + start);
      batch.losses[list] = static_cast<double>(wrong) / all;
    }
  });
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
