#include <fmt/format.h>

#include <algorithm>

#include "data/formats.hpp"
#include "features/image_sources.hpp"
#include "features/resize.hpp"
#include "structhash/core/error.hpp"
#include "structhash/data/loaders.hpp"

namespace structhash::features {
namespace {

/// The pixels of one row of a collection, channels side by side.
Picture picture_of(const data::ImageLayout& layout, const float* row) {
  Picture picture{layout.height, layout.width, layout.channels, {}};
  picture.pixels.reserve(static_cast<std::size_t>(layout.height * layout.width * layout.channels));
  for (Index y = 0; y < layout.height; ++y) {
    for (Index x = 0; x < layout.width; ++x) {
      for (Index c = 0; c < layout.channels; ++c) {
        const float value = row[y * layout.y_step + x * layout.x_step + c * layout.channel_step];
        picture.pixels.push_back(static_cast<std::uint8_t>(value));
      }
    }
  }
  return picture;
}

}  // namespace

ImageSet read_image_table(const std::string& path, const ImageOptions& options) {
  constexpr Index kRowsAtOnce = 256;
  const auto reader = data::open_table(path, {});
  const data::TableShape& shape = reader->shape();
  if (shape.image.height == 0) {
    fail(Errc::bad_data,
         fmt::format("{}: holds no images of bytes; expected PNG or JPEG files, folders of them, "
                     "CIFAR-10 batches, STL-10 *_X.bin or idx files of three dimensions",
                     path));
  }
  ImageSet images;
  images.count = shape.rows;
  images.height = options.size > 0 ? options.size : shape.image.height;
  images.width = options.size > 0 ? options.size : shape.image.width;
  images.channels = shape.image.channels;
  Matrix<float> block(std::min(kRowsAtOnce, shape.rows), shape.columns);
  for (Index first = 0; first < shape.rows; first += kRowsAtOnce) {
    report(options.on_progress, {"reading images", to_double(first), to_double(shape.rows), path});
    const Index rows = std::min(kRowsAtOnce, shape.rows - first);
    reader->read_features(rows, shape.columns, block.data());
    for (Index row = 0; row < rows; ++row) {
      Picture picture = picture_of(shape.image, block.row(row).data());
      if (options.size > 0) {
        picture = resize_and_crop(picture, options.size);
      }
      images.pixels.insert(images.pixels.end(), picture.pixels.begin(), picture.pixels.end());
    }
  }
  if (shape.carries_labels) {
    images.labels = load_labels(std::vector{path}).classes;
  }
  return images;
}

}  // namespace structhash::features
