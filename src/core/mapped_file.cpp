#include "core/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

[[noreturn]] void fail_with_errno(const char* action, const std::string& path) {
  const int reason = errno;
  fail(Errc::io, fmt::format("cannot {} {}: {}", action, path, std::strerror(reason)));
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : value_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {  // a pipe must not block
    if (value_ < 0) {
      fail_with_errno("open", path);
    }
  }
  ~Descriptor() { ::close(value_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }

 private:
  int value_;
};

}  // namespace

MappedFile::MappedFile(std::string path) : path_(std::move(path)) {
  const Descriptor descriptor(path_);
  struct stat status{};
  if (::fstat(descriptor.get(), &status) != 0) {
    fail_with_errno("read the size of", path_);
  }
  if (!S_ISREG(status.st_mode)) {
    fail(Errc::io, fmt::format("cannot read {}: it is not a regular file", path_));
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) {
    return;  // an empty range cannot be mapped
  }
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.get(), 0);
  if (address == MAP_FAILED) {
    fail_with_errno("map", path_);
  }
  bytes_ = {static_cast<const std::byte*>(address), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap takes the pointer of mmap
    ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace structhash
