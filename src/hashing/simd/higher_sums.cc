#include "hashing/simd/higher_sums.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hashing/simd/higher_sums.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace structhash::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Four vectors of features at a time: one load of an entry serves them all, and their sums are
/// independent chains.
void higher_sums_target(const float* entries, const std::int32_t* columns, std::size_t count,
                        const std::int32_t* ranks, const std::int32_t* own, float* sums) {
  const hn::CappedTag<float, kHigherLanes / 4> d;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t k = 0; k < kHigherLanes; k += 4 * lanes) {
    const auto own0 = hn::LoadU(di, own + k);
    const auto own1 = hn::LoadU(di, own + k + lanes);
    const auto own2 = hn::LoadU(di, own + k + 2 * lanes);
    const auto own3 = hn::LoadU(di, own + k + 3 * lanes);
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    auto sum2 = hn::Zero(d);
    auto sum3 = hn::Zero(d);
    for (std::size_t i = 0; i < count; ++i) {
      const auto entry = hn::Set(d, entries[i]);
      const std::int32_t* other = ranks + static_cast<std::size_t>(columns[i]) * kHigherLanes + k;
      const auto add = [&](auto sum, const std::int32_t* at, auto mine) {
        const auto higher = hn::RebindMask(d, hn::Gt(hn::LoadU(di, at), mine));
        return hn::Add(sum, hn::IfThenElseZero(higher, entry));
      };
      sum0 = add(sum0, other, own0);
      sum1 = add(sum1, other + lanes, own1);
      sum2 = add(sum2, other + 2 * lanes, own2);
      sum3 = add(sum3, other + 3 * lanes, own3);
    }
    hn::StoreU(sum0, d, sums + k);
    hn::StoreU(sum1, d, sums + k + lanes);
    hn::StoreU(sum2, d, sums + k + 2 * lanes);
    hn::StoreU(sum3, d, sums + k + 3 * lanes);
  }
}

}  // namespace structhash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash {

HWY_EXPORT(higher_sums_target);

void higher_sums(const float* entries, const std::int32_t* columns, std::size_t count,
                 const std::int32_t* ranks, const std::int32_t* own, float* sums) {
  HWY_DYNAMIC_DISPATCH(higher_sums_target)(entries, columns, count, ranks, own, sums);
}

}  // namespace structhash
#endif
