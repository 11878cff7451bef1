#pragma once

#include <cstddef>
#include <cstdint>

namespace structhash {

inline constexpr std::size_t kPanelBits = 64;  // bits of a panel: one word of a code
inline constexpr std::size_t kPanelRows = 6;   // rows at a time: their sums fill the registers

/// A panel: offsets, coefficients and the limits below which a float sum may have the wrong sign,
/// of 64 bits.
struct SignPanel {
  const float* offsets;     // 64
  const float* directions;  // depth x 64
  const float* limits;      // 64, times the scale of a row
  std::size_t bits;         // used, from the first
};

/// Up to 6 rows of features.
struct PanelRows {
  const float* x;
  std::size_t stride;  // from one row to the next
  std::size_t rows;
  std::size_t depth;  // features of a row

  PanelRows row(std::size_t r) const { return {x + r * stride, stride, 1, depth}; }
};

/// Words of some rows, one bit per bit of a panel.
struct PanelSigns {
  std::uint64_t* positive;   // [ value > 0 ] as float sums have it
  std::uint64_t* uncertain;  // the float sum may have the wrong sign
};

/// value = offset_b + sum_k x_rk v_kb  is uncertain if it lies within scales[r] limits[b] of zero,
/// or is not a number.
void sign_panel(const PanelRows& rows, const SignPanel& panel, const float* scales,
                const PanelSigns& signs);

/// Sum of squares, in some order.
float sum_of_squares(const float* x, std::size_t size);

/// offset + sum_k x_k v_k in double, in some order.
double wide_dot(double offset, const float* x, const float* v, std::size_t size);

}  // namespace structhash
