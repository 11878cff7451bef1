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

/// Whether the name of a file ends as that of a PNG or JPEG image.
bool is_picture_name(const std::string& path);

/// Reads a PNG or JPEG file, detected by its first bytes.  Transparent PNG images get a white
/// background.
/// A damaged file is Errc::bad_data, an unreadable one Errc::io.
Picture read_picture(const std::string& path);

}  // namespace structhash::features
