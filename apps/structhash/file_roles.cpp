#include "file_roles.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/file_identity.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

/// The file of file.h5:path/inside.
std::string file_of(std::string path) {
  std::error_code error;
  for (auto colon = path.rfind(':');
       colon != std::string::npos && !std::filesystem::exists(path, error);
       colon = path.rfind(':')) {
    path.resize(colon);
  }
  return path;
}

}  // namespace

void require_separate_files(std::span<const NamedFile> inputs, std::span<const NamedFile> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    if (path.empty()) {
      continue;
    }
    for (const NamedFile& input : inputs) {
      require(input.path.empty() || !same_file(path, file_of(input.path)),
              fmt::format("{} would overwrite the input {} of {}; use another file for {}", option,
                          input.path, input.option, option));
    }
    for (const NamedFile& other : outputs.subspan(i + 1)) {
      require(other.path.empty() || !same_file(path, other.path),
              fmt::format("{} and {} name the same file {}; use different files", option,
                          other.option, path));
    }
  }
}

}  // namespace structhash::cli
