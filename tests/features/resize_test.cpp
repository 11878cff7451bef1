#include "features/resize.hpp"

#include <gtest/gtest.h>

#include "features/pictures.hpp"

namespace structhash::test {
namespace {

using features::Picture;
using features::resize_and_crop;

TEST(Resize, KeepsAPictureOfThatSize) {
  const Picture picture{6, 6, 3, ramp(6, 6, 3)};
  EXPECT_EQ(resize_and_crop(picture, 6).pixels, picture.pixels);
}

TEST(Resize, CutsTheCentre) {
  // Short side 2 already: columns 1 and 2 of four remain.
  const Picture picture{2, 4, 1, {0, 10, 20, 30, 40, 50, 60, 70}};
  EXPECT_EQ(resize_and_crop(picture, 2).pixels, (std::vector<std::uint8_t>{10, 20, 50, 60}));
}

TEST(Resize, EnlargesLinearly) {
  // Pixel centres of the result lie at -1/4, 1/4, 3/4, 5/4 of the two: 0, 25, 75, 100.
  const Picture picture{2, 2, 1, {0, 100, 0, 100}};
  const Picture result = resize_and_crop(picture, 4);
  for (Index y = 0; y < 4; ++y) {
    EXPECT_EQ((std::vector<std::uint8_t>(result.pixels.begin() + 4 * y,
                                         result.pixels.begin() + 4 * y + 4)),
              (std::vector<std::uint8_t>{0, 25, 75, 100}));
  }
}

TEST(Resize, ShrinkingAveragesFinePatternsAway) {
  Picture stripes{64, 64, 1, {}};
  for (Index i = 0; i < 64 * 64; ++i) {
    stripes.pixels.push_back(i % 2 == 0 ? 0 : 200);
  }
  for (const Index size : {8, 11, 16}) {
    const Picture result = resize_and_crop(stripes, size);
    ASSERT_EQ(result.pixels.size(), static_cast<std::size_t>(size * size));
    for (const std::uint8_t pixel : result.pixels) {
      ASSERT_NEAR(pixel, 100, 15) << size;
    }
  }
}

TEST(Resize, ConstantStaysConstantAtEverySize) {
  for (Index height = 1; height < 12; ++height) {
    for (Index width = 1; width < 12; ++width) {
      const Picture flat{
          height, width, 3,
          std::vector<std::uint8_t>(static_cast<std::size_t>(3 * height * width), 77)};
      for (const Index size : {1, 2, 5, 13}) {
        const Picture result = resize_and_crop(flat, size);
        EXPECT_EQ(result.pixels,
                  std::vector<std::uint8_t>(static_cast<std::size_t>(3 * size * size), 77));
      }
    }
  }
}

}  // namespace
}  // namespace structhash::test
