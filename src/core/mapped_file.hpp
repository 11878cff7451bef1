#pragma once

#include <cstddef>
#include <span>
#include <string>

/// Files read through the page cache, without a copy in memory.
namespace structhash {

/// A whole regular file mapped read-only for as long as the object lives.  A file replaced by a
/// rename meanwhile (as AtomicFile does) stays readable; one cut short in place must not be mapped.
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
