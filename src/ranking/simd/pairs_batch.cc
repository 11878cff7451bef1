#include <algorithm>
#include <limits>

#include "ranking/simd/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ranking/simd/pairs_batch.cc"
#include "hwy/foreach_target.h"  // compiles the rest of this file once per instruction set
#include "hwy/highway.h"
#include "ranking/simd/counting-inl.h"

HWY_BEFORE_NAMESPACE();
namespace structhash {
namespace HWY_NAMESPACE {

/// Thresholds of the AUC oracle: the largest float at or below d + 1/2, so that for a float e
/// "e <= threshold" is exactly "e <= d + 1/2" in double, the comparison of the scalar path.
HWY_INLINE void thresholds(const float* HWY_RESTRICT distances, size_t count,
                           float* HWY_RESTRICT out) {
  const hn::ScalableTag<double> dd;
  const hn::Rebind<float, decltype(dd)> df;
  const hn::RebindToSigned<decltype(df)> di;
  for (size_t l = 0; l < count; l += hn::Lanes(dd)) {
    const auto exact = hn::Add(hn::PromoteTo(dd, hn::Load(df, distances + l)), hn::Set(dd, 0.5));
    const auto rounded = hn::DemoteTo(df, exact);
    const auto error = hn::DemoteTo(df, hn::Sub(exact, hn::PromoteTo(dd, rounded)));
    // One step down, where rounding went up: the bits of a float ascend with its magnitude.
    const auto positive = hn::RebindMask(di, hn::Gt(rounded, hn::Zero(df)));
    const auto step = hn::IfThenElse(positive, hn::Set(di, -1), hn::Set(di, 1));
    const auto went_up = hn::RebindMask(di, hn::Lt(error, hn::Zero(df)));
    const auto bits = hn::Add(hn::BitCast(di, rounded), hn::IfThenElseZero(went_up, step));
    hn::Store(hn::BitCast(df, bits), df, out + l);
  }
}

/// counts[l] = #{m : others[m] <= own[l]} if kOwnAbove, else #{m : own[l] <= others[m]}.
/// Two vectors at a time share the load of the other value; own and counts are padded.
template <bool kOwnAbove>
HWY_INLINE void count_pairs(const float* HWY_RESTRICT own, size_t owns,
                            const float* HWY_RESTRICT others, size_t count,
                            int16_t* HWY_RESTRICT counts) {
  const Floats df;
  const Counts di;
  const Counts16 d16;
  const size_t lanes = hn::Lanes(df);
  const auto wrong = [df](auto other, auto mine) HWY_ATTR {
    return kOwnAbove ? hn::Le(other, mine) : hn::Le(mine, other);
  };
  for (size_t first = 0; first < owns; first += 2 * lanes) {  // padded: a 16-bit vector holds both
    const auto own0 = hn::Load(df, own + first);
    const auto own1 = hn::Load(df, own + first + lanes);
    auto count0 = hn::Zero(di);
    auto count1 = hn::Zero(di);
    for (size_t m = 0; m < count; ++m) {
      const auto other = hn::Set(df, others[m]);
      count0 = add_where(di, wrong(other, own0), count0);
      count1 = add_where(di, wrong(other, own1), count1);
    }
    hn::Store(hn::DemoteTo(d16, count0), d16, counts + first);
    hn::Store(hn::DemoteTo(d16, count1), d16, counts + first + lanes);
  }
}

/// Row oracle for AUC (docs/methods.md B.3): pair (j, k) is mis-ordered exactly when
/// e_k <= d_j + 1/2, so both counts of A.7 are plain counts and nothing is sorted.
/// Loss, Eq. (18) and (19): mis-ordered pairs / (P N).
void pairs_all(const simd::ListBatch& batch) {
  const size_t P = batch.relevant;
  const size_t N = batch.irrelevant;
  const auto relevant = zeros<float>(padded(P));
  const auto limits = zeros<float>(padded(P));
  const auto irrelevant = zeros<float>(padded(N));
  const auto counts = zeros<int16_t>(padded(HWY_MAX(P, N)));
  for (size_t list = 0; list < batch.lists; ++list) {
    const float* distances = batch.distances + list * batch.items();
    uint16_t* inversions = batch.inversions + list * batch.items();
    std::copy_n(distances, P, relevant.get());
    std::copy_n(distances + P, N, irrelevant.get());
    thresholds(relevant.get(), P, limits.get());
    count_pairs<true>(limits.get(), P, irrelevant.get(), N, counts.get());
    std::copy_n(counts.get(), P, inversions);
    count_pairs<false>(irrelevant.get(), N, limits.get(), P, counts.get());
    std::copy_n(counts.get(), N, inversions + P);
    uint64_t wrong = 0;
    for (size_t j = 0; j < P; ++j) {
      wrong += inversions[j];
    }
    batch.losses[list] =
        static_cast<double>(wrong) / (static_cast<double>(P) * static_cast<double>(N));
  }
}

/// x - x is 0 for a finite x and not a number otherwise, and that survives every addition.
bool all_finite(const float* values, size_t count) {
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

}  // namespace HWY_NAMESPACE
}  // namespace structhash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash {
HWY_EXPORT(pairs_all);
HWY_EXPORT(all_finite);

namespace simd {

void most_violated_pairs(const ListBatch& batch) {
  HWY_DYNAMIC_DISPATCH(pairs_all)(batch);
}

bool all_finite(const float* values, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(all_finite)(values, count);
}

}  // namespace simd
}  // namespace structhash
#endif
