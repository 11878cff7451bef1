#pragma once

#include <cstddef>

namespace structhash {

/// Terms of one float sum of a distance: its rounding grows with their number.
inline constexpr std::size_t kResponseSlice = 128;

/// Up to 64 anchors of an RBF kernel.
struct AnchorPanel {
  const float* anchors;        // depth x 64
  const float* squared_norms;  // 64
  std::size_t count;           // the first so many are wanted
  float gamma;
};

/// responses[r * response_stride + c] = exp(-gamma t), t = ||x_r||^2 + ||a_c||^2 - 2 x_r.a_c or 0,
/// for `rows` <= 6 rows of `depth` features, `stride` apart; may write up to 15 values more per
/// row. Products are summed in slices of kResponseSlice terms.
void response_panel(const float* x, std::size_t stride, std::size_t rows, std::size_t depth,
                    const float* squared_norms, const AnchorPanel& panel, float* responses,
                    std::size_t response_stride);

}  // namespace structhash
