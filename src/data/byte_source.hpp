#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "structhash/core/error.hpp"

namespace structhash::data {

/// The bytes of a file that is never changed.  A gzipped file, known by its first two bytes, is
/// inflated on the way.  Read by pread, not mapped: a file that another process cuts short then
/// gives an error, where a mapping would kill the process.
class ByteSource {
 public:
  explicit ByteSource(std::string path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  const std::string& path() const { return path_; }
  bool compressed() const;

  /// The number of bytes, at least 1.  A compressed file does not tell, which is an error.
  std::uint64_t size() const;

  /// Says before anything is allocated whether the file can hold `expected` bytes: exactly so many
  /// if it is plain, at most 1032 times its size (the limit of deflate) if it is compressed.
  void check_size(std::uint64_t expected) const;

  /// For compressed files, what check_size could not say: the data end at `offset`, checksum right.
  void check_end(std::uint64_t offset);

  /// Exactly `count` bytes from `offset` on.  Compressed files want offsets that grow: going back
  /// inflates from the start again.
  void read(std::uint64_t offset, void* out, std::size_t count);

  /// Up to `count` bytes, fewer only at the end of the file.
  std::size_t read_some(std::uint64_t offset, void* out, std::size_t count);

  /// Throws with "<path>: <message>".
  [[noreturn]] void fail(Errc code, const std::string& message) const;

 private:
  struct Gzip;
  std::size_t inflate_some(std::uint64_t offset, void* out, std::size_t count);

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t file_size_ = 0;
  std::unique_ptr<Gzip> gzip_;
};

}  // namespace structhash::data
