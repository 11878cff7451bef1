#include "core/text_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "structhash/core/error.hpp"

namespace structhash {

void require_regular_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    fail(Errc::io,
         std::filesystem::is_directory(status)
             ? path + ": cannot be read: it is a folder"
             : path + ": cannot be read: it is not a regular file; save it to disk first");
  }
}

std::string read_text(const std::string& path) {
  require_regular_file(path);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fail(Errc::io, fmt::format("{}: cannot be opened for reading: {}", path,
                               std::generic_category().message(errno)));
  }
  std::string text;
  std::array<char, 65536> block{};
  do {
    file.read(block.data(), std::ssize(block));
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  } while (file);
  // A stream does not throw on disk errors or out of memory: without this check, a partial text
  // would look complete.
  if (file.bad() || !file.eof()) {
    fail(Errc::io, path + ": reading failed: disk error or out of memory");
  }
  return text;
}

}  // namespace structhash
