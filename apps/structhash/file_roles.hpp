#pragma once

#include <span>
#include <string>

/// Keeps a command from overwriting its own input.
namespace structhash::cli {

struct NamedFile {
  std::string option;  // "--features", for messages
  std::string path;    // as given; empty: the option is not used
};

/// Throws Errc::usage if an output is also an input, or if two outputs are one file: by inode, and
/// by resolved path for files that do not exist yet.  file.h5:path/inside is file.h5.
void require_separate_files(std::span<const NamedFile> inputs, std::span<const NamedFile> outputs);

}  // namespace structhash::cli
