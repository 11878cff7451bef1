#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "structhash/core/types.hpp"

/// Small pictures as text, to be put into a page or a JSON file.
namespace structhash {

/// "data:image/png;base64,...": rows from top to bottom, `channels` bytes per pixel, 1 (grey) or 3
/// (red, green, blue).  Throws Errc::usage if the number of bytes does not fit the size.
std::string png_data_uri(std::span<const std::uint8_t> pixels, Index width, Index height,
                         Index channels);

}  // namespace structhash
