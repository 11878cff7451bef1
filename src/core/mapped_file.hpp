#pragma once

#include <cstddef>
#include <span>
#include <string>

/// Files read through the page cache, without a copy in memory.
namespace structhash {

/// A regular file mapped read-only for the lifetime of the object.  A file that is replaced by a
/// rename (as AtomicFile does) stays readable; a file that may be truncated must not be mapped.
class MappedFile {
 public:
  /// Throws Errc::io with the path and the reason.
  explicit MappedFile(std::string path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& path() const { return path_; }
  /// Starts on a page boundary; empty for an empty file.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::string path_;
  std::span<const std::byte> bytes_;
};

}  // namespace structhash
