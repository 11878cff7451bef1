#pragma once

#include <cstddef>

#include "hashing/simd/sign_panel.hpp"

namespace structhash {

/// Terms of one float sum of a distance: its rounding grows with their number.
inline constexpr std::size_t kResponseSlice = 64;

/// Up to 64 anchors of an RBF kernel.
struct AnchorPanel {
  const float* anchors;        // depth x 64
  const float* squared_norms;  // 64
  std::size_t count;           // used, from the first
  float gamma;
};

/// Up to 6 rows and where their responses go.
struct ResponseRows {
  PanelRows rows;
  const float* squared_norms;   // one per row
  float* responses;             // up to 15 values more than the panel's are written per row
  std::size_t response_stride;  // from one row to the next
};

/// responses(r, c) = exp(-gamma t),   t = ||x_r||^2 + ||a_c||^2 - 2 x_r.a_c, or 0 where that is
/// negative.  Products are summed in slices of kResponseSlice terms.
void response_panel(const ResponseRows& rows, const AnchorPanel& panel);

}  // namespace structhash
