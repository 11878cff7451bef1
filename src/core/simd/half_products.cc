#include "core/simd/half_products.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/half_products.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace structhash::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using simd::kHalfLanes;
using Floats = hn::CappedTag<float, kHalfLanes>;
using Halves = hn::Rebind<hwy::float16_t, Floats>;

constexpr std::size_t kRowsAtOnce = 4;

HWY_INLINE hn::Vec<Floats> load_halves(const std::uint16_t* from) {
  return hn::PromoteTo(Floats(),
                       hn::LoadU(Halves(), reinterpret_cast<const hwy::float16_t*>(from)));
}

/// The sum of sixteen chains, in one order.
float sum_chains(float* chains) {
  for (std::size_t half = kHalfLanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) {
      chains[lane] += chains[lane + half];
    }
  }
  return chains[0];
}

template <std::size_t kRows>
void times_vector(const std::uint16_t* rows, std::size_t columns, const float* x, float* result) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN float chains[kRows][kHalfLanes];
  for (std::size_t lane = 0; lane < kHalfLanes; lane += lanes) {
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    auto sum2 = hn::Zero(d);
    auto sum3 = hn::Zero(d);
    for (std::size_t i = lane; i < columns; i += kHalfLanes) {
      const auto factor = hn::LoadU(d, x + i);
      sum0 = hn::Add(sum0, hn::Mul(load_halves(rows + i), factor));
      if constexpr (kRows == kRowsAtOnce) {
        sum1 = hn::Add(sum1, hn::Mul(load_halves(rows + columns + i), factor));
        sum2 = hn::Add(sum2, hn::Mul(load_halves(rows + 2 * columns + i), factor));
        sum3 = hn::Add(sum3, hn::Mul(load_halves(rows + 3 * columns + i), factor));
      }
    }
    hn::StoreU(sum0, d, chains[0] + lane);
    if constexpr (kRows == kRowsAtOnce) {
      hn::StoreU(sum1, d, chains[1] + lane);
      hn::StoreU(sum2, d, chains[2] + lane);
      hn::StoreU(sum3, d, chains[3] + lane);
    }
  }
  for (std::size_t row = 0; row < kRows; ++row) {
    result[row] = sum_chains(chains[row]);
  }
}

void half_times_vector_target(const std::uint16_t* rows, std::size_t count, std::size_t columns,
                              const float* x, float* result) {
  std::size_t row = 0;
  for (; row + kRowsAtOnce <= count; row += kRowsAtOnce) {
    times_vector<kRowsAtOnce>(rows + row * columns, columns, x, result + row);
  }
  for (; row < count; ++row) {
    times_vector<1>(rows + row * columns, columns, x, result + row);
  }
}

template <std::size_t kRows>
void add_rows(const std::uint16_t* rows, std::size_t columns, const float* x, float* sums) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < columns; i += lanes) {
    auto sum = hn::LoadU(d, sums + i);
    for (std::size_t row = 0; row < kRows; ++row) {
      sum = hn::Add(sum, hn::Mul(load_halves(rows + row * columns + i), hn::Set(d, x[row])));
    }
    hn::StoreU(sum, d, sums + i);
  }
}

void add_half_rows_target(const std::uint16_t* rows, std::size_t count, std::size_t columns,
                          const float* x, float* sums) {
  std::size_t row = 0;
  for (; row + kRowsAtOnce <= count; row += kRowsAtOnce) {
    add_rows<kRowsAtOnce>(rows + row * columns, columns, x + row, sums);
  }
  for (; row < count; ++row) {
    add_rows<1>(rows + row * columns, columns, x + row, sums);
  }
}

void halves_to_floats_target(const std::uint16_t* from, std::size_t count, float* to) {
  const Floats d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    hn::StoreU(load_halves(from + i), d, to + i);
  }
}

}  // namespace structhash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash {

HWY_EXPORT(half_times_vector_target);
HWY_EXPORT(add_half_rows_target);
HWY_EXPORT(halves_to_floats_target);

namespace simd {

void half_times_vector(const std::uint16_t* rows, std::size_t count, std::size_t columns,
                       const float* x, float* result) {
  HWY_DYNAMIC_DISPATCH(half_times_vector_target)(rows, count, columns, x, result);
}

void add_half_rows(const std::uint16_t* rows, std::size_t count, std::size_t columns,
                   const float* x, float* sums) {
  HWY_DYNAMIC_DISPATCH(add_half_rows_target)(rows, count, columns, x, sums);
}

void halves_to_floats(const std::uint16_t* from, std::size_t count, float* to) {
  HWY_DYNAMIC_DISPATCH(halves_to_floats_target)(from, count, to);
}

}  // namespace simd
}  // namespace structhash
#endif
