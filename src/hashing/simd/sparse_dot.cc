#include "hashing/simd/sparse_dot.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hashing/simd/sparse_dot.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace structhash::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kChains = 16;

float sparse_dot_target(const float* entries, const std::int32_t* columns, std::size_t count,
                        const float* s) {
  const hn::CappedTag<float, kChains> d;
  const hn::RebindToSigned<decltype(d)> indices;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN float chains[kChains] = {};
  std::size_t i = 0;
  if (lanes == kChains) {
    auto sum = hn::Zero(d);
    for (; i + kChains <= count; i += kChains) {
      const auto gathered = hn::GatherIndex(d, s, hn::LoadU(indices, columns + i));
      sum = hn::Add(sum, hn::Mul(hn::LoadU(d, entries + i), gathered));
    }
    hn::Store(sum, d, chains);
  } else {
    for (; i + kChains <= count; i += kChains) {
      for (std::size_t lane = 0; lane < kChains; lane += lanes) {
        const auto gathered = hn::GatherIndex(d, s, hn::LoadU(indices, columns + i + lane));
        const auto term = hn::Mul(hn::LoadU(d, entries + i + lane), gathered);
        hn::Store(hn::Add(hn::Load(d, chains + lane), term), d, chains + lane);
      }
    }
  }
  for (std::size_t lane = 0; i < count; ++i, ++lane) {
    chains[lane] += entries[i] * s[columns[i]];
  }
  for (std::size_t half = kChains / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) {
      chains[lane] += chains[lane + half];
    }
  }
  return chains[0];
}

}  // namespace structhash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash {

HWY_EXPORT(sparse_dot_target);

float sparse_dot(const float* entries, const std::int32_t* columns, std::size_t count,
                 const float* s) {
  return HWY_DYNAMIC_DISPATCH(sparse_dot_target)(entries, columns, count, s);
}

}  // namespace structhash
#endif
