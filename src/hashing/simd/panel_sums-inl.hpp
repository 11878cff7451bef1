// The inner loop of encoding, once per instruction set: included by the kernels of this folder.
#if defined(STRUCTHASH_PANEL_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STRUCTHASH_PANEL_SUMS_INL
#undef STRUCTHASH_PANEL_SUMS_INL
#else
#define STRUCTHASH_PANEL_SUMS_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "hashing/simd/sign_panel.hpp"

HWY_BEFORE_NAMESPACE();
namespace structhash::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;

/// Vectors of columns at a time: with 32 registers 6 x 4 sums, with 16 registers 6 x 2.
constexpr std::size_t kVectors = HWY_TARGET <= HWY_AVX3 ? 4 : 2;

constexpr std::size_t kLine = 16;  // floats of a cache line

template <std::size_t kRows, std::size_t kWide>
struct PanelSums {
  hn::Vec<Floats> at[kRows][kWide];
};

/// Sums over k in [begin, end) of x(r, k) panel(k, first + c), for kRows rows and kWide vectors of
/// the 64 columns of a panel.
template <std::size_t kRows, std::size_t kWide>
HWY_INLINE PanelSums<kRows, kWide> panel_sums(const PanelRows& rows, std::size_t begin,
                                              std::size_t end, const float* panel,
                                              std::size_t first) {
  const float* const x = rows.x;
  const std::size_t stride = rows.stride;
  constexpr std::size_t kColumns = 64;
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  PanelSums<kRows, kWide> sums;
  for (auto& row : sums.at) {
    for (auto& sum : row) {
      sum = hn::Zero(d);
    }
  }
  const float* coefficient = panel + begin * kColumns + first;
  for (std::size_t line = begin; line < end; line += kLine) {
    for (std::size_t r = 0; r < kRows; ++r) {  // the next rows come while these are worked on
      hwy::Prefetch(x + (kRows + r) * stride + line);
    }
    const std::size_t line_end = line + kLine < end ? line + kLine : end;
    for (std::size_t k = line; k < line_end; ++k, coefficient += kColumns) {
      hn::Vec<Floats> coefficients[kWide];
      for (std::size_t v = 0; v < kWide; ++v) {
        coefficients[v] = hn::LoadU(d, coefficient + v * lanes);
      }
      for (std::size_t r = 0; r < kRows; ++r) {
        const auto value = hn::Set(d, x[r * stride + k]);
        for (std::size_t v = 0; v < kWide; ++v) {
          sums.at[r][v] = hn::MulAdd(value, coefficients[v], sums.at[r][v]);
        }
      }
    }
  }
  return sums;
}

}  // namespace structhash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
