#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Files that are replaced as a whole, never half-written.
namespace structhash {

/// Writes to a temporary file in the same folder; `commit` syncs it and renames it over `path`.
/// On any failure (disk full, no permission, an exception of the caller) the old file stays
/// unchanged and the temporary file is removed.  A killed process leaves `path.tmp-PID-N`, which
/// the next writer of `path` removes.  A replaced file keeps its owner and its mode.  Every failure
/// is Errc::io with the path and the reason.
class AtomicFile {
 public:
  /// Symbolic links are followed, also to a file that does not exist yet.  Refuses what exists and
  /// is write-protected or no regular file, and a file whose owner could not be kept.
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Replaces bytes written before, such as a head that is known only at the end.
  void overwrite(std::uint64_t offset, const void* data, std::size_t size);
  std::uint64_t size() const { return flushed_ + buffer_.size(); }

  /// flush, fsync, rename, fsync of the folder; nothing may be written afterwards.
  void commit();
  /// The same; returns the open descriptor of the file, which holds a lock (flock) on it.
  int commit_locked();

 private:
  void discard();
  void keep_owner_and_mode() const;
  void flush();
  void write_all(std::uint64_t offset, const char* data, std::size_t size);
  [[noreturn]] void fail_with_errno(const char* action) const;

  std::string path_;
  std::string target_;     // path_ with symbolic links resolved
  std::string temporary_;  // empty once renamed
  int descriptor_ = -1;
  std::uint64_t flushed_ = 0;
  std::vector<char> buffer_;
};

}  // namespace structhash
