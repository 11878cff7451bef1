#include "core/file_identity.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "structhash/core/error.hpp"

namespace structhash {

namespace fs = std::filesystem;

std::string resolved_path(const std::string& path) {
  constexpr int kMaxLinks = 40;  // as the kernel
  std::error_code error;
  fs::path target = path;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    if (links == kMaxLinks) {
      fail(Errc::io, fmt::format("cannot write {}: {}", path, std::strerror(ELOOP)));
    }
    const fs::path next = fs::read_symlink(target, error);
    if (error) {
      fail(Errc::io, fmt::format("cannot write {}: {}", path, error.message()));
    }
    target = target.parent_path() / next;  // an absolute `next` replaces the folder
  }
  // Links of the folder are resolved before "..", as the kernel does.
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const fs::path real = fs::canonical(folder, error);
  return error ? target.string() : (real / target.filename()).string();
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::exists(a, error) && fs::exists(b, error)) {
    return fs::equivalent(a, b, error);
  }
  return resolved_path(a) == resolved_path(b);
}

}  // namespace structhash
