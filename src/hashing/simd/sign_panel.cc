#include "hashing/simd/sign_panel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hashing/simd/sign_panel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hashing/simd/panel_sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace structhash::HWY_NAMESPACE {

/// Sums of kRows rows for kWide vectors of bits, beginning at bit `first`.
template <std::size_t kRows, std::size_t kWide>
void sign_group(const PanelRows& rows, const SignPanel& panel, std::size_t first,
                const float* scales, const PanelSigns& signs) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto sums = panel_sums<kRows, kWide>(rows, 0, rows.depth, panel.directions, first);
  for (std::size_t r = 0; r < kRows; ++r) {
    const auto scale = hn::Set(d, scales[r]);
    for (std::size_t v = 0; v < kWide; ++v) {
      const std::size_t bit = first + v * lanes;
      const auto limit = hn::Mul(scale, hn::LoadU(d, panel.limits + bit));
      const auto value = hn::Add(sums.at[r][v], hn::LoadU(d, panel.offsets + bit));
      // Not "below the limit": that would call a NaN certain.
      const auto certain = hn::Gt(hn::Abs(value), limit);
      std::uint64_t bits[2] = {0, 0};  // whole words: StoreMaskBits may write eight bytes
      hn::StoreMaskBits(d, hn::Gt(value, hn::Zero(d)), reinterpret_cast<std::uint8_t*>(bits));
      hn::StoreMaskBits(d, hn::Not(certain), reinterpret_cast<std::uint8_t*>(bits + 1));
      signs.positive[r] |= bits[0] << bit;
      signs.uncertain[r] |= bits[1] << bit;
    }
  }
}

template <std::size_t kWide>
void sign_rows(const PanelRows& rows, const SignPanel& panel, const float* scales,
               const PanelSigns& signs) {
  for (std::size_t first = 0; first < panel.bits; first += kWide * hn::Lanes(Floats())) {
    if (rows.rows == kPanelRows) {
      sign_group<kPanelRows, kWide>(rows, panel, first, scales, signs);
      continue;
    }
    for (std::size_t r = 0; r < rows.rows; ++r) {
      sign_group<1, kWide>(rows.row(r), panel, first, scales + r,
                           {signs.positive + r, signs.uncertain + r});
    }
  }
}

void sign_panel_target(const PanelRows& rows, const SignPanel& panel, const float* scales,
                       const PanelSigns& signs) {
  for (std::size_t r = 0; r < rows.rows; ++r) {
    signs.positive[r] = signs.uncertain[r] = 0;
  }
  const bool narrow = panel.bits <= kVectors / 2 * hn::Lanes(Floats());
  (narrow ? sign_rows<kVectors / 2> : sign_rows<kVectors>)(rows, panel, scales, signs);
}

float sum_of_squares_target(const float* x, std::size_t size) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Floats> sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  std::size_t i = 0;
  for (; i + 4 * lanes <= size; i += 4 * lanes) {
    for (std::size_t chain = 0; chain < 4; ++chain) {
      const auto value = hn::LoadU(d, x + i + chain * lanes);
      sums[chain] = hn::MulAdd(value, value, sums[chain]);
    }
  }
  float sum =
      hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]))));
  for (; i < size; ++i) {
    sum += x[i] * x[i];
  }
  return sum;
}

double wide_dot_target(double offset, const float* x, const float* v, std::size_t size) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> df;
  const std::size_t lanes = hn::Lanes(d);
  auto even = hn::Zero(d);
  auto odd = hn::Zero(d);
  std::size_t i = 0;
  const auto product = [&](std::size_t at, auto sum) {
    return hn::MulAdd(hn::PromoteTo(d, hn::LoadU(df, x + at)),
                      hn::PromoteTo(d, hn::LoadU(df, v + at)), sum);
  };
  for (; i + 2 * lanes <= size; i += 2 * lanes) {
    even = product(i, even);
    odd = product(i + lanes, odd);
  }
  double sum = offset + hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
  for (; i < size; ++i) {
    sum += static_cast<double>(x[i]) * static_cast<double>(v[i]);
  }
  return sum;
}

}  // namespace structhash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash {

HWY_EXPORT(sign_panel_target);
HWY_EXPORT(sum_of_squares_target);
HWY_EXPORT(wide_dot_target);

void sign_panel(const PanelRows& rows, const SignPanel& panel, const float* scales,
                const PanelSigns& signs) {
  HWY_DYNAMIC_DISPATCH(sign_panel_target)(rows, panel, scales, signs);
}

float sum_of_squares(const float* x, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(sum_of_squares_target)(x, size);
}

double wide_dot(double offset, const float* x, const float* v, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(wide_dot_target)(offset, x, v, size);
}

}  // namespace structhash
#endif
