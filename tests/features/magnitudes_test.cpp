#include "features/simd/magnitudes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "structhash/core/rng.hpp"

namespace structhash::test {
namespace {

TEST(Magnitudes, EqualTheScalarLoopAtEveryWidth) {
  Rng rng(Seed{4});
  for (std::size_t width = 1; width < 70; ++width) {
    const std::size_t offset = width % 3;  // unaligned starts
    std::vector<std::vector<float>> parts(4, std::vector<float>(width + offset));
    for (std::vector<float>& part : parts) {
      for (float& value : part) {
        value = static_cast<float>(rng.normal());
      }
    }
    const std::vector<float> guarded(width + 1, 2.0F);  // one behind the end must stay as it is
    std::vector<float> own = guarded;
    std::vector<float> mirrored = guarded;
    features::add_magnitudes({parts[0].data() + offset, parts[1].data() + offset,
                              parts[2].data() + offset, parts[3].data() + offset},
                             width, own.data(), mirrored.data());
    for (std::size_t x = 0; x < width; ++x) {
      const float cc = parts[0][x + offset];
      const float ss = parts[1][x + offset];
      const float cs = parts[2][x + offset];
      const float sc = parts[3][x + offset];
      EXPECT_FLOAT_EQ(own[x], 2.0F + std::hypot(cc + ss, cs + sc)) << width;
      EXPECT_FLOAT_EQ(mirrored[x], 2.0F + std::hypot(cc - ss, sc - cs)) << width;
    }
    EXPECT_EQ(own[width], 2.0F);
    EXPECT_EQ(mirrored[width], 2.0F);
  }
}

}  // namespace
}  // namespace structhash::test
