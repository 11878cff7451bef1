#include "appended_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

[[noreturn]] void fail_with(int reason, const char* action, const std::string& path) {
  fail(Errc::io, fmt::format("cannot {} {}: {}", action, path, std::strerror(reason)));
}

bool write_all(int descriptor, std::string_view piece) {
  while (!piece.empty()) {
    const ssize_t written = ::write(descriptor, piece.data(), piece.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    piece.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

AppendedFile::AppendedFile(std::string path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {}

AppendedFile::~AppendedFile() {
  ::close(descriptor_);
}

void AppendedFile::append(std::string_view piece) {
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  if (before < 0) {
    fail_with(errno, "find the end of", path_);
  }
  if (!write_all(descriptor_, piece) || ::fdatasync(descriptor_) != 0) {
    const int reason = errno;
    // If this fails, too, the next run drops the last line, which has no line end.
    static_cast<void>(::ftruncate(descriptor_, before) == 0);
    fail_with(reason, "write", path_);
  }
}

}  // namespace structhash::cli
