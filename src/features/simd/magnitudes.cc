#include "features/simd/magnitudes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "features/simd/magnitudes.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace structhash::features::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE void add_columns(D d, const ResponseRow& row, std::size_t x, float* own,
                            float* mirrored) {
  const auto cos_cos = hn::LoadU(d, row.cos_cos + x);
  const auto sin_sin = hn::LoadU(d, row.sin_sin + x);
  const auto cos_sin = hn::LoadU(d, row.cos_sin + x);
  const auto sin_cos = hn::LoadU(d, row.sin_cos + x);
  const auto add = [&](auto real, auto imaginary, float* sums) {
    const auto squared = hn::Add(hn::Mul(real, real), hn::Mul(imaginary, imaginary));
    hn::StoreU(hn::Add(hn::LoadU(d, sums), hn::Sqrt(squared)), d, sums);
  };
  add(hn::Add(cos_cos, sin_sin), hn::Add(cos_sin, sin_cos), own + x);
  add(hn::Sub(cos_cos, sin_sin), hn::Sub(sin_cos, cos_sin), mirrored + x);
}

void add_magnitudes_target(const ResponseRow& row, std::size_t width, float* own, float* mirrored) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t x = 0;
  for (; x + lanes <= width; x += lanes) {
    add_columns(d, row, x, own, mirrored);
  }
  const hn::CappedTag<float, 1> one;
  for (; x < width; ++x) {
    add_columns(one, row, x, own, mirrored);
  }
}

}  // namespace structhash::features::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash::features {

HWY_EXPORT(add_magnitudes_target);

void add_magnitudes(const ResponseRow& row, std::size_t width, float* own, float* mirrored) {
  HWY_DYNAMIC_DISPATCH(add_magnitudes_target)(row, width, own, mirrored);
}

}  // namespace structhash::features
#endif
