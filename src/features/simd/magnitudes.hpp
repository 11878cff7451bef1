#pragma once

#include <cstddef>

namespace structhash::features {

/// One row of the four parts of a filter's response (see gist_filters.cpp).
struct ResponseRow {
  const float* cos_cos;
  const float* sin_sin;
  const float* cos_sin;
  const float* sin_cos;
};

/// own[x] += |(cos_cos + sin_sin) + i (cos_sin + sin_cos)|, the filter's own magnitude;
/// mirrored[x] += |(cos_cos - sin_sin) + i (sin_cos - cos_sin)|, that of its mirror image.
void add_magnitudes(const ResponseRow& row, std::size_t width, float* own, float* mirrored);

}  // namespace structhash::features
