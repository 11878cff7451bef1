#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/file_identity.hpp"
#include "core/stale_files.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferSize = std::size_t{1} << 18U;
constexpr int kNameAttempts = 10'000;

/// The file that a rename must replace: the end of a chain of symbolic links, or the path itself.
/// A rename would replace a device such as /dev/null with a plain file, and a write-protected file
/// in a folder that may be written to.
std::string replaced_file(const std::string& path) {
  std::string target = resolved_path(path);
  struct stat old{};
  if (::stat(target.c_str(), &old) != 0) {
    return target;
  }
  if (!S_ISREG(old.st_mode)) {
    fail(Errc::io, fmt::format("cannot write {}: it exists and is not a regular file", path));
  }
  const int descriptor = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
  const int reason = descriptor < 0 ? errno : EACCES;
  if (descriptor >= 0) {
    ::close(descriptor);
  }
  constexpr mode_t kMayWrite = 0222;  // root may open any file
  if (descriptor < 0 || (old.st_mode & kMayWrite) == 0) {
    fail(Errc::io, fmt::format("cannot write {}: it exists and is write-protected ({}); make it "
                               "writable or use another name",
                               path, std::strerror(reason)));
  }
  return target;
}

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

/// Makes a rename durable.  File systems that cannot sync a folder return EINVAL or ENOTSUP.
bool sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    return errno == EACCES;  // a folder one may write to but not read cannot be synced
  }
  const bool synced = ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return synced;
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  require(!path_.empty(), "the name of the file to write is empty");
  target_ = replaced_file(path_);
  buffer_.reserve(kBufferSize);
  remove_stale_files(target_);
  // Not mkstemp: its files are readable by the owner only and ignore the umask.
  for (int attempt = 0; descriptor_ < 0 && attempt < kNameAttempts; ++attempt) {
    std::string name = temporary_name(target_, attempt);
    descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) {
      break;
    }
    if (descriptor_ >= 0 && !mark_as_alive(descriptor_)) {  // removed as stale: use another name
      ::close(std::exchange(descriptor_, -1));
      continue;
    }
    temporary_ = std::move(name);
  }
  if (descriptor_ < 0) {
    fail_with_errno("create a file in the folder of");
  }
  try {
    keep_owner_and_mode();  // what cannot be kept is reported before any work is done
  } catch (...) {
    discard();
    throw;
  }
}

AtomicFile::~AtomicFile() {
  discard();
}

void AtomicFile::discard() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
  }
}

void AtomicFile::keep_owner_and_mode() const {
  struct stat old{};
  struct stat now{};
  if (::stat(target_.c_str(), &old) != 0) {
    return;
  }
  if (::fstat(descriptor_, &now) != 0) {
    fail_with_errno("read the owner of");
  }
  const bool same_owner = old.st_uid == now.st_uid && old.st_gid == now.st_gid;
  if (!same_owner && ::fchown(descriptor_, old.st_uid, old.st_gid) != 0) {
    fail_with_errno("keep the owner of");
  }
  if (::fchmod(descriptor_, old.st_mode & 07777U) != 0) {  // last: fchown clears bits
    fail_with_errno("keep the permissions of");
  }
}

void AtomicFile::write(const void* data, std::size_t size) {
  require(descriptor_ >= 0, "a committed file cannot be written to");
  const char* bytes = static_cast<const char*>(data);
  if (size >= kBufferSize) {  // large blocks need no copy
    flush();
    write_all(flushed_, bytes, size);
    flushed_ += size;
    return;
  }
  if (buffer_.size() + size > kBufferSize) {
    flush();
  }
  buffer_.insert(buffer_.end(), bytes, bytes + size);
}

void AtomicFile::overwrite(std::uint64_t offset, const void* data, std::size_t size) {
  require(descriptor_ >= 0, "a committed file cannot be written to");
  require(offset <= this->size() && size <= this->size() - offset,
          "only bytes written before can be replaced");
  flush();
  write_all(offset, static_cast<const char*>(data), size);
}

void AtomicFile::commit() {
  ::close(commit_locked());  // only now: closing unlocks the file
}

int AtomicFile::commit_locked() {
  require(descriptor_ >= 0, "a file can be committed only once");
  flush();
  keep_owner_and_mode();
  if (::fsync(descriptor_) != 0) {
    fail_with_errno("sync");
  }
  const std::string folder = folder_of(target_);  // may throw: before the rename
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    fail_with_errno("replace");
  }
  temporary_.clear();
  if (!sync_folder(folder)) {
    fail_with_errno("sync the folder of");
  }
  return std::exchange(descriptor_, -1);
}

void AtomicFile::flush() {
  write_all(flushed_, buffer_.data(), buffer_.size());
  flushed_ += buffer_.size();
  buffer_.clear();
}

void AtomicFile::write_all(std::uint64_t offset, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::pwrite(descriptor_, data, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      fail_with_errno("write");
    }
    data += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::fail_with_errno(const char* action) const {
  const int reason = errno;
  fail(Errc::io, fmt::format("cannot {} {}: {}", action, path_, std::strerror(reason)));
}

}  // namespace structhash
