#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "structhash/core/error.hpp"

namespace structhash::data {

/// A file inside a zip archive (zip_member.hpp).
struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint64_t begin = 0;     // of its bytes in the archive
  std::uint64_t stored = 0;    // bytes in the archive
  std::uint64_t size = 0;      // bytes of the file
  std::uint32_t checksum = 0;  // CRC-32
};

/// The bytes of a file.  A gzipped file, detected by its first two bytes, is inflated while
/// reading, and so is a deflated member of a zip archive. Uses pread, not a mapping: a file that
/// another process truncates then gives an error, where a mapping would crash the process.
class ByteSource {
 public:
  explicit ByteSource(std::string path);
  /// A file inside of an archive; messages call it "path:name".
  ByteSource(const std::string& archive, const ZipMember& member);
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
  struct Inflater;
  void open_file(const std::string& path);
  void start_inflating(std::optional<std::uint32_t> expected);
  [[noreturn]] void close_and_fail(const std::string& message) const;
  std::size_t inflate_some(std::uint64_t offset, void* out, std::size_t count);
  std::size_t inflate_next(void* out, std::size_t count);
  void start_next_member();
  bool refill();

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t begin_ = 0;      // of the bytes in the file
  std::uint64_t file_size_ = 0;  // from there on
  std::unique_ptr<Inflater> inflater_;
};

}  // namespace structhash::data
