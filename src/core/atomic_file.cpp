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

#include "core/stale_files.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferSize = std::size_t{1} << 18U;
constexpr int kNameAttempts = 10'000;

/// The file that a rename must replace: the end of a chain of symbolic links, or the path itself.
std::string replaced_file(const std::string& path) {
  std::error_code error;  // a path that does not exist is not an error here
  fs::path target = path;
  if (fs::is_symlink(target, error)) {
    target = fs::weakly_canonical(target, error);
    if (error) {
      fail(Errc::io, fmt::format("cannot write {}: {}", path, error.message()));
    }
  }
  const fs::file_status status = fs::status(target, error);
  // A rename would replace a device such as /dev/null with a plain file.
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    fail(Errc::io, fmt::format("cannot write {}: it exists and is not a regular file", path));
  }
  return target.string();
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
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
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
  require(descriptor_ >= 0, "a file can be committed only once");
  flush();
  struct stat old{};
  if (::stat(target_.c_str(), &old) == 0 && ::fchmod(descriptor_, old.st_mode & 07777U) != 0) {
    fail_with_errno("keep the permissions of");
  }
  if (::fsync(descriptor_) != 0) {
    fail_with_errno("sync");
  }
  const std::string folder = folder_of(target_);  // may throw: before the rename
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    fail_with_errno("replace");
  }
  temporary_.clear();
  ::close(std::exchange(descriptor_, -1));  // only now: closing unlocks the file
  if (!sync_folder(folder)) {
    fail_with_errno("sync the folder of");
  }
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
