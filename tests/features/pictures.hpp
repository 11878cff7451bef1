#pragma once

#include <png.h>
#include <turbojpeg.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "structhash/core/types.hpp"

/// PNG and JPEG files in memory, written by the libraries that everybody writes them with.
namespace structhash::test {

/// Pixels that rise to the right and downwards, another way in each channel.
inline std::vector<std::uint8_t> ramp(Index height, Index width, Index channels) {
  std::vector<std::uint8_t> pixels;
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x) {
      for (Index c = 0; c < channels; ++c) {
        pixels.push_back(static_cast<std::uint8_t>(20 + 5 * x + 3 * y + 40 * c));
      }
    }
  }
  return pixels;
}

inline std::string png(Index height, Index width, Index channels,
                       const std::vector<std::uint8_t>& pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = channels == 4 ? PNG_FORMAT_RGBA : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&image, nullptr, &size, 0, pixels.data(), 0, nullptr);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr) == 0) {
    throw std::runtime_error(image.message);
  }
  bytes.resize(size);
  return bytes;
}

/// One channel is grey, three are RGB, four the colours of printing.
inline std::string jpeg(Index height, Index width, Index channels,
                        const std::vector<std::uint8_t>& pixels) {
  const int format = channels == 4 ? TJPF_CMYK : channels == 3 ? TJPF_RGB : TJPF_GRAY;
  tjhandle encoder = tjInitCompress();
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  const int status =
      tjCompress2(encoder, pixels.data(), static_cast<int>(width), 0, static_cast<int>(height),
                  format, &bytes, &size, channels == 1 ? TJSAMP_GRAY : TJSAMP_444, 95, 0);
  std::string result = status == 0 ? std::string(reinterpret_cast<char*>(bytes), size) : "";
  tjFree(bytes);
  tjDestroy(encoder);
  if (status != 0) {
    throw std::runtime_error("JPEG encoder failed");
  }
  return result;
}

inline std::string ramp_png(Index height, Index width, Index channels) {
  return png(height, width, channels, ramp(height, width, channels));
}
inline std::string ramp_jpeg(Index height, Index width, Index channels) {
  return jpeg(height, width, channels, ramp(height, width, channels));
}

}  // namespace structhash::test
