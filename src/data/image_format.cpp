#include <fmt/format.h>

#include "data/formats.hpp"
#include "data/strided_reader.hpp"

/// Image collections without a header: bytes, a fixed number per row.
namespace structhash::data {
namespace {

constexpr std::uint64_t kCifarPixels = 3UL * 32 * 32;
constexpr std::uint64_t kStlPixels = 3UL * 96 * 96;

/// One channel after the other; CIFAR row by row, STL-10 column by column.
constexpr ImageLayout kCifarImage{.height = 32,
                                  .width = 32,
                                  .channels = 3,
                                  .y_step = 32,
                                  .x_step = 1,
                                  .channel_step = Index{32} * 32};
constexpr ImageLayout kStlImage{.height = 96,
                                .width = 96,
                                .channels = 3,
                                .y_step = 1,
                                .x_step = 96,
                                .channel_step = Index{96} * 96};

std::unique_ptr<TableReader> open_images(const std::string& path, RowLayout layout) {
  auto source = std::make_unique<ByteSource>(path);
  const std::uint64_t size = source->size();
  layout.rows = size / layout.row_bytes();
  if (size % layout.row_bytes() != 0) {
    source->fail(
        Errc::corrupt_file,
        fmt::format("is cut short or another format: {} bytes is not a whole number of rows "
                    "of {} bytes",
                    size, layout.row_bytes()));
  }
  return make_strided_reader(std::move(source), layout);
}

}  // namespace

std::unique_ptr<TableReader> open_cifar10(const std::string& path) {
  return open_images(path, {.columns = kCifarPixels,
                            .prefix = 1,
                            .label_byte = 0,
                            .label_limit = 10,
                            .image = kCifarImage});
}

/// CIFAR-100 has two labels; the fine one, of 100 classes, is taken.
std::unique_ptr<TableReader> open_cifar100(const std::string& path) {
  return open_images(path, {.columns = kCifarPixels,
                            .prefix = 2,
                            .label_byte = 1,
                            .label_limit = 100,
                            .image = kCifarImage});
}

/// STL-10 keeps images (train_X.bin) and labels 1 to 10 (train_y.bin) in files of their own.
std::unique_ptr<TableReader> open_stl10(const std::string& path) {
  return open_images(path, {.columns = kStlPixels, .image = kStlImage});
}
std::unique_ptr<TableReader> open_stl10_labels(const std::string& path) {
  return open_images(path, {.is_list = true, .columns = 1});
}

}  // namespace structhash::data
