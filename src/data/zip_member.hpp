#pragma once

#include <string>
#include <vector>

#include "data/byte_source.hpp"

namespace structhash::data {

/// The files of a zip archive, from its directory at the end.  Throws Errc::corrupt_file for a
/// damaged archive and for members that are encrypted or compressed otherwise than by deflate.
std::vector<ZipMember> zip_members(const std::string& path);

}  // namespace structhash::data
