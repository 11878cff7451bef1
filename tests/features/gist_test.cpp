#include "features/gist.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>

#include "features/textbook_gist.hpp"
#include "structhash/core/rng.hpp"
#include "support/expect_error.hpp"
#include "support/places.hpp"

namespace structhash::test {
namespace {

ImageSet empty_images(Index count, Index height, Index width, Index channels = 1) {
  ImageSet images{.count = count, .height = height, .width = width, .channels = channels};
  images.pixels.resize(static_cast<std::size_t>(count * images.image_bytes()));
  return images;
}

ImageSet one_image(Index height, Index width, const std::function<double(Index y, Index x)>& grey) {
  ImageSet images = empty_images(1, height, width);
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x) {
      images.pixels[static_cast<std::size_t>(y * width + x)] =
          static_cast<std::uint8_t>(std::lround(grey(y, x)));
    }
  }
  return images;
}

ImageSet random_images(Index count, Index height, Index width, Index channels, Seed seed) {
  ImageSet images = empty_images(count, height, width, channels);
  Rng rng(seed);
  for (std::uint8_t& pixel : images.pixels) {
    pixel = static_cast<std::uint8_t>(rng.uniform() * 256.0);
  }
  return images;
}

/// Waves in one direction: at frequency f_s, with the crests across the direction of orientation j.
/// The prefilter takes the logarithm, so the exponential of a sine is drawn.
ImageSet grating(Index n, Index scale, Index j, const GistOptions& options) {
  const double frequency = 0.3 / std::pow(1.85, to_double(scale));
  const double direction = -std::numbers::pi * to_double(j) / to_double(options.orientations);
  return one_image(n, n, [&](Index y, Index x) {
    const double along = to_double(x) * std::cos(direction) + to_double(y) * std::sin(direction);
    const double wave = std::sin(2.0 * std::numbers::pi * frequency * along);
    return std::pow(256.0, 0.5 + 0.5 * wave) - 1.0;
  });
}

TEST(Gist, GratingsAnswerInTheirOwnChannelInEveryBlock) {
  const GistOptions options;
  for (Index scale = 0; scale < options.scales; ++scale) {
    for (Index j = 0; j < options.orientations; ++j) {
      SCOPED_TRACE(testing::Message() << "scale " << scale << ", orientation " << j);
      const Matrix<float> row = gist(grating(128, scale, j, options), options);
      // channels x blocks
      const Matrix<float> channels = Eigen::Map<const Matrix<float>>(row.data(), 32, 16);
      for (Index block = 0; block < 16; ++block) {
        Index strongest = -1;
        channels.col(block).maxCoeff(&strongest);
        ASSERT_EQ(strongest, scale * options.orientations + j) << "block " << block;
      }
    }
  }
}

TEST(Gist, TurningAnImageTurnsOrientationsAndBlocks) {
  const GistOptions options;
  const Index n = 32;
  const ImageSet upright = random_images(1, n, n, 1, Seed{5});
  const ImageSet turned = one_image(n, n, [&](Index y, Index x) {
    return static_cast<double>(upright.pixels[static_cast<std::size_t>(x * n + n - 1 - y)]);
  });
  const Matrix<float> a = gist(upright, options);
  const Matrix<float> b = gist(turned, options);
  const auto at = [&](Index s, Index j, Index r, Index c) { return ((s * 8 + j) * 4 + r) * 4 + c; };
  for (Index s = 0; s < 4; ++s) {
    for (Index j = 0; j < 8; ++j) {
      for (Index r = 0; r < 4; ++r) {
        for (Index c = 0; c < 4; ++c) {
          ASSERT_NEAR(b(0, at(s, (j + 4) % 8, r, c)), a(0, at(s, j, c, 3 - r)), 1e-5);
        }
      }
    }
  }
}

TEST(Gist, ConstantImagesHaveNoResponse) {
  for (const int grey : {0, 7, 255}) {
    const ImageSet flat = one_image(32, 32, [&](Index, Index) { return grey; });
    EXPECT_LT(gist(flat).cwiseAbs().maxCoeff(), 1e-6F) << grey;
  }
}

TEST(Gist, BrightnessAndContrastMatterLittle) {
  const auto scene = [](Index y, Index x) {
    return 100.0 + 60.0 * std::sin(0.31 * to_double(x)) * std::cos(0.17 * to_double(y)) +
           40.0 * std::sin(to_double(x * y) / 90.0);
  };
  const Matrix<float> a = gist(one_image(64, 64, scene));
  const Matrix<float> b =
      gist(one_image(64, 64, [&](Index y, Index x) { return 0.5 * scene(y, x) + 90.0; }));
  EXPECT_LT((a - b).norm(), 0.05F * a.norm());
}

TEST(Gist, ColourIsTheMeanOfItsChannels) {
  const ImageSet grey = random_images(1, 20, 20, 1, Seed{3});
  ImageSet colour = empty_images(1, 20, 20, 3);
  for (std::size_t i = 0; i < colour.pixels.size(); ++i) {
    colour.pixels[i] = grey.pixels[i / 3];
  }
  EXPECT_LT((gist(grey) - gist(colour)).cwiseAbs().maxCoeff(), 1e-5F);
}

struct Shape {
  Index height, width, channels, scales, orientations, blocks;
};

class GistShapes : public testing::TestWithParam<Shape> {};

TEST_P(GistShapes, EqualTheTextbook) {
  const Shape shape = GetParam();
  const GistOptions options{
      .scales = shape.scales, .orientations = shape.orientations, .blocks = shape.blocks};
  const ImageSet images = random_images(3, shape.height, shape.width, shape.channels, Seed{11});
  const Matrix<float> rows = gist(images, options);
  ASSERT_EQ(rows.cols(), gist_dimension(options));
  for (Index i = 0; i < images.count; ++i) {
    EXPECT_LT(textbook_error(rows, images, i, options), 2e-5) << "image " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, GistShapes,
                         testing::Values(Shape{32, 32, 3, 4, 8, 4}, Shape{28, 28, 1, 4, 8, 4},
                                         Shape{33, 32, 1, 4, 8, 4}, Shape{24, 50, 3, 4, 6, 4},
                                         Shape{17, 23, 1, 5, 5, 3}, Shape{16, 16, 1, 2, 1, 1},
                                         Shape{9, 64, 1, 3, 2, 9}, Shape{5, 5, 3, 1, 3, 2},
                                         Shape{2, 3, 1, 4, 8, 2}));

TEST(Gist, RealImagesEqualTheTextbook) {
  const std::string batch = test::in_shared_data("cifar-10-batches-bin/test_batch.bin");
  if (!std::filesystem::exists(batch)) {
    GTEST_SKIP() << "CIFAR-10 is not at " << batch;
  }
  ImageSet images = load_images(std::vector{batch});
  images.count = 20;
  images.pixels.resize(static_cast<std::size_t>(images.count * images.image_bytes()));
  const Matrix<float> rows = gist(images);
  for (Index i = 0; i < images.count; ++i) {
    EXPECT_LT(textbook_error(rows, images, i, {}), 2e-5) << "image " << i;
  }
}

TEST(Gist, SameBytesForAnyNumberOfThreads) {
  const ImageSet images = random_images(100, 32, 32, 3, Seed{8});
  const Matrix<float> one = gist(images);
  for (const int threads : {2, 5}) {
    EXPECT_EQ(gist(images, {.threads = threads}), one) << threads;
  }
}

TEST(Gist, EveryRowIsThatOfTheImageAlone) {
  const ImageSet images = random_images(40, 19, 32, 1, Seed{9});
  const Matrix<float> all = gist(images);
  for (const Index i : {0, 17, 39}) {
    ImageSet alone = empty_images(1, 19, 32);
    std::copy_n(images.image(i), images.image_bytes(), alone.pixels.begin());
    EXPECT_EQ(gist(alone).row(0), all.row(i)) << i;
  }
}

TEST(Gist, WrongArgumentsAreRefused) {
  const ImageSet images = random_images(2, 8, 12, 1, Seed{1});
  expect_error(Errc::usage, "8 x 12 pixels into 9 x 9 blocks",
               [&] { gist(images, {.blocks = 9}); });
  expect_error(Errc::usage, "scales", [&] { gist(images, {.scales = 0}); });
  expect_error(Errc::usage, "orientations", [&] { gist(images, {.orientations = 0}); });
  expect_error(Errc::usage, "orientations must be 1 to 256",
               [&] { gist_dimension({.orientations = Index{1} << 62U}); });
  expect_error(Errc::usage, "at least one image", [&] { gist(ImageSet{}); });
  ImageSet torn = images;
  torn.pixels.pop_back();
  expect_error(Errc::usage, "number of pixels does not match", [&] { gist(torn); });
}

TEST(Gist, StopsWhenAsked) {
  const ImageSet images = random_images(64, 8, 8, 1, Seed{1});
  expect_error(Errc::interrupted, "", [&] {
    gist(images, {.on_progress = [](const Progress& progress) { return progress.done == 0.0; }});
  });
}

}  // namespace
}  // namespace structhash::test
