#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "structhash/core/error.hpp"

namespace structhash::data {

/// The bytes of a file.  A gzipped file, detected by its first two bytes, is inflated while
/// reading. Uses pread, not a mapping: a file that another process truncates then gives an error,
/// where a mapping would crash the process.
class ByteSource {
 public:
  explicit ByteSource(std::string path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  const std::string& path() const { return path_; }
  bool compressed() const;

  /// The number of bytes, at least 1; throws for a compressed file, which does not store it.
  std::uint64_t size() const;

  /// Throws if the file cannot hold `expected` bytes: exactly its size if it is plain, at most 1032
  /// times its size (the limit of deflate) if it is compressed.  Call it before allocating.
  void check_size(std::uint64_t expected) const;

  /// For compressed files: checks that the data end at `offset` and match their checksum.
  void check_end(std::uint64_t offset);

  /// Exactly `count` bytes from `offset` on.  Read compressed files forwards: going back inflates
  /// again from the start.
  void read(std::uint64_t offset, void* out, std::size_t count);

  /// Up to `count` bytes, fewer only at the end of the file.
  std::size_t read_some(std::uint64_t offset, void* out, std::size_t count);

  /// Throws with "<path>: <message>".
  [[noreturn]] void fail(Errc code, const std::string& message) const;

 private:
  struct Gzip;
  std::size_t inflate_some(std::uint64_t offset, void* out, std::size_t count);
  std::size_t inflate_next(void* out, std::size_t count);
  void start_next_member();
  bool refill();

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t file_size_ = 0;
  std::unique_ptr<Gzip> gzip_;
};

}  // namespace structhash::data
