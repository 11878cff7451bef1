#include "evaluation/png_data_uri.hpp"

#include <fmt/format.h>
#include <png.h>

#include <vector>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kMaxSide = 4096;  // pictures for a page, not posters

/// A PNG file in memory.
std::vector<std::uint8_t> png_bytes(std::span<const std::uint8_t> pixels, Index width, Index height,
                                    Index channels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  std::vector<std::uint8_t> bytes(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t size = bytes.size();
  const int written = png_image_write_to_memory(&image, bytes.data(), &size, /*convert_to_8_bit=*/0,
                                                pixels.data(), /*row_stride=*/0,
                                                /*colormap=*/nullptr);
  if (written == 0) {
    fail(Errc::internal, fmt::format("a picture cannot be written as PNG: {}",
                                     static_cast<const char*>(image.message)));
  }
  bytes.resize(size);
  return bytes;
}

/// RFC 4648, section 4: three bytes become four letters; the last group is filled with '='.
std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8U | (i < here ? bytes[at + i] : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= here ? kLetters[group >> (18U - 6U * i) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace

std::string png_data_uri(std::span<const std::uint8_t> pixels, Index width, Index height,
                         Index channels) {
  require(channels == 1 || channels == 3, "a picture has 1 channel (grey) or 3 (colours)");
  require(width >= 1 && height >= 1 && width <= kMaxSide && height <= kMaxSide,
          fmt::format("a picture of {} x {} pixels: a side has 1 to {}", width, height, kMaxSide));
  require(std::ssize(pixels) == width * height * channels,
          fmt::format("a picture of {} x {} pixels and {} channels needs {} bytes, not {}", width,
                      height, channels, width * height * channels, pixels.size()));
  return "data:image/png;base64," + base64(png_bytes(pixels, width, height, channels));
}

}  // namespace structhash
