#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "structhash/core/types.hpp"

namespace structhash::features {

struct Picture {
  Index height = 0;
  Index width = 0;
  Index channels = 1;                // 1 or 3
  std::vector<std::uint8_t> pixels;  // height x width x channels
};

/// Whether a file's name says that it is a PNG or JPEG image.
bool is_picture_name(const std::string& path);

/// Reads a PNG or JPEG file, known by its first bytes.  Transparent PNG images are laid on white.
/// A damaged file is Errc::bad_data, an unreadable one Errc::io.
Picture read_picture(const std::string& path);

}  // namespace structhash::features
