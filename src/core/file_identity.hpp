#pragma once

#include <string>

/// Which file a path names, however it is written.
namespace structhash {

/// The path of the file that opening `path` for writing creates or changes: absolute, symbolic
/// links followed, also those whose target does not exist yet.  Throws Errc::io for a cycle of
/// links.
std::string resolved_path(const std::string& path);

/// True if both name one file: the same inode (hard links included), or the same resolved path of a
/// file that does not exist yet.
bool same_file(const std::string& a, const std::string& b);

}  // namespace structhash
