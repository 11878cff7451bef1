#include "features/decode.hpp"

#include <fmt/format.h>
#include <png.h>
#include <turbojpeg.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <string_view>

#include "data/byte_source.hpp"
#include "structhash/core/error.hpp"

/// Uses the interfaces that return errors, png_image of libpng and TurboJPEG: neither can end the
/// process or jump over destructors.
namespace structhash::features {
namespace {

constexpr Index kMaxPixels = Index{1} << 28U;  // 268 million, 0.8 GB in colour
constexpr Index kMaxFileBytes = Index{1} << 30U;
/// PNG: eight pixels per byte, times the deflate limit of 1032; JPEG reaches less.
constexpr Index kMaxPixelsPerByte = Index{8} * 1032;
constexpr int kWhite = 255;

using Bytes = std::vector<unsigned char>;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  fail(Errc::bad_data, fmt::format("{}: {}", path, reason));
}

Bytes read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::file_size(path, error) == 0 && !error) {
    refuse(path, "is empty (0 bytes), expected a PNG or JPEG image");
  }
  data::ByteSource source(path);
  if (source.compressed()) {
    refuse(path, "is a gzip file, expected a PNG or JPEG image; unpack it");
  }
  if (source.size() > kMaxFileBytes) {
    refuse(path, "is larger than 1 GB, the limit for an image");
  }
  Bytes bytes(source.size());
  source.read(0, bytes.data(), bytes.size());
  return bytes;
}

/// Memory for a picture of the size in its header, if a file of `file_bytes` can hold it.
Picture make_picture(const std::string& path, std::size_t file_bytes, Index height, Index width,
                     Index channels) {
  if (height < 1 || width < 1 || height > kMaxPixels / width) {
    refuse(path, fmt::format("claims {} x {} pixels; at most {} pixels can be read", height, width,
                             kMaxPixels));
  }
  if (height * width / kMaxPixelsPerByte > static_cast<Index>(file_bytes)) {
    refuse(path, fmt::format("claims {} x {} pixels, which a file of {} bytes cannot hold", height,
                             width, file_bytes));
  }
  Picture picture{height, width, channels, {}};
  picture.pixels.resize(static_cast<std::size_t>(height * width * channels));
  return picture;
}

/// libpng reports "out of memory" only in its message.
[[noreturn]] void refuse_png(const std::string& path, const char* what, const char* message) {
  if (std::string_view(message).find("memory") != std::string_view::npos) {
    throw std::bad_alloc();
  }
  refuse(path, fmt::format("is {} PNG image: {}", what, message));
}

Picture read_png(const std::string& path, const Bytes& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, void (*)(png_image*)> release(&image, png_image_free);
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) {
    refuse_png(path, "no readable", image.message);
  }
  const bool colour = (image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  Picture picture = make_picture(path, bytes.size(), image.height, image.width, colour ? 3 : 1);
  image.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  const png_color white{kWhite, kWhite, kWhite};
  if (png_image_finish_read(&image, &white, picture.pixels.data(), 0, nullptr) == 0 ||
      PNG_IMAGE_FAILED(image)) {
    refuse_png(path, "a damaged", image.message);
  }
  return picture;
}

Picture read_jpeg(const std::string& path, const Bytes& bytes) {
  const std::unique_ptr<void, int (*)(tjhandle)> decoder(tjInitDecompress(), tjDestroy);
  if (!decoder) {
    fail(Errc::internal, "the JPEG decoder could not be started");
  }
  const auto check = [&](int status) {
    if (status != 0) {
      refuse(path, fmt::format("is a damaged JPEG image: {}", tjGetErrorStr2(decoder.get())));
    }
  };
  int width = 0;
  int height = 0;
  int subsampling = 0;
  int colours = 0;
  const auto size = static_cast<unsigned long>(bytes.size());
  check(tjDecompressHeader3(decoder.get(), bytes.data(), size, &width, &height, &subsampling,
                            &colours));
  if (colours == TJCS_CMYK || colours == TJCS_YCCK) {
    refuse(path, "is a CMYK JPEG image; convert it to RGB");
  }
  const bool grey = colours == TJCS_GRAY;
  Picture picture = make_picture(path, bytes.size(), height, width, grey ? 1 : 3);
  check(tjDecompress2(decoder.get(), bytes.data(), size, picture.pixels.data(), width, 0, height,
                      grey ? TJPF_GRAY : TJPF_RGB, TJFLAG_LIMITSCANS));
  return picture;
}

bool starts_with(const Bytes& bytes, std::string_view start) {
  return bytes.size() >= start.size() &&
         std::equal(start.begin(), start.end(), bytes.begin(),
                    [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; });
}

}  // namespace

bool is_picture_name(const std::string& path) {
  std::string name = path;
  std::ranges::transform(name, name.begin(),
                         [](unsigned char letter) { return static_cast<char>(tolower(letter)); });
  return name.ends_with(".png") || name.ends_with(".jpg") || name.ends_with(".jpeg");
}

Picture read_picture(const std::string& path) {
  const Bytes bytes = read_file(path);
  if (starts_with(bytes, "\x89PNG")) {
    return read_png(path, bytes);
  }
  if (starts_with(bytes, "\xFF\xD8")) {
    return read_jpeg(path, bytes);
  }
  refuse(path, "is neither a PNG nor a JPEG image: its first bytes differ");
}

}  // namespace structhash::features
