#include "data/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace structhash::data {
namespace {

constexpr std::uint64_t kMaxDeflateRatio = 1032;  // bytes out per byte in, zlib's documented limit
constexpr unsigned kInflateBuffer = 1U << 18U;
constexpr std::size_t kMaxRead = 1U << 30U;  // pread and gzread take at most about 2 GiB

}  // namespace

struct ByteSource::Gzip {
  gzFile file = nullptr;
  std::uint64_t position = 0;
  ~Gzip() { gzclose(file); }
};

ByteSource::ByteSource(std::string path) : path_(std::move(path)) {
  // O_NONBLOCK: opening a pipe without a writer must not block.
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    fail(Errc::io, fmt::format("cannot open the file: {}", std::strerror(errno)));
  }
  const auto close_and_fail = [this](const std::string& message) {
    close(descriptor_);
    fail(Errc::io, message);
  };
  struct stat status{};
  if (fstat(descriptor_, &status) != 0) {
    close_and_fail(fmt::format("cannot read the file's size: {}", std::strerror(errno)));
  }
  if (!S_ISREG(status.st_mode)) {
    close_and_fail(S_ISDIR(status.st_mode) ? "is a folder, not a file"
                                           : "is not a regular file; save it to disk first");
  }
  file_size_ = static_cast<std::uint64_t>(status.st_size);
  std::array<unsigned char, 2> magic{};
  const bool is_gzip =
      pread(descriptor_, magic.data(), 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
  if (is_gzip) {
    const int copy = dup(descriptor_);
    gzFile file = copy < 0 ? nullptr : gzdopen(copy, "rb");
    if (file == nullptr) {
      close_and_fail("cannot start inflating the file: out of memory or file handles");
    }
    gzbuffer(file, kInflateBuffer);
    gzip_ = std::make_unique<Gzip>();
    gzip_->file = file;
  }
}

ByteSource::~ByteSource() {
  close(descriptor_);
}

bool ByteSource::compressed() const {
  return gzip_ != nullptr;
}

void ByteSource::fail(Errc code, const std::string& message) const {
  structhash::fail(code, path_ + ": " + message);
}

std::uint64_t ByteSource::size() const {
  if (compressed()) {
    fail(
        Errc::corrupt_file,
        "is gzipped, but this format takes its number of rows from the size of the file; gunzip it "
        "first");
  }
  if (file_size_ == 0) {
    fail(Errc::corrupt_file, "is empty (0 bytes)");
  }
  return file_size_;
}

void ByteSource::check_size(std::uint64_t expected) const {
  if (compressed()) {
    if (expected / kMaxDeflateRatio > file_size_) {
      fail(Errc::corrupt_file,
           fmt::format("its header claims {} bytes, which a gzipped file of {} bytes cannot hold",
                       expected, file_size_));
    }
    return;
  }
  if (expected > file_size_) {
    fail(Errc::corrupt_file,
         fmt::format("is cut short: {} bytes, but its header claims {}", file_size_, expected));
  }
  if (expected < file_size_) {
    fail(Errc::corrupt_file,
         fmt::format("is too long: {} bytes, but its header claims {}", file_size_, expected));
  }
}

void ByteSource::check_end(std::uint64_t offset) {
  std::byte extra{};
  if (compressed() && read_some(offset, &extra, 1) != 0) {
    fail(Errc::corrupt_file,
         fmt::format("is too long: there is more than the {} bytes its header claims", offset));
  }
}

void ByteSource::read(std::uint64_t offset, void* out, std::size_t count) {
  const std::size_t got = read_some(offset, out, count);
  if (got != count) {
    fail(Errc::corrupt_file, fmt::format("is cut short: it ends at byte {}, {} more were expected",
                                         offset + got, count - got));
  }
}

std::size_t ByteSource::read_some(std::uint64_t offset, void* out, std::size_t count) {
  std::size_t done = 0;
  while (done < count) {
    char* to = static_cast<char*>(out) + done;
    const std::size_t want = std::min(count - done, kMaxRead);
    if (compressed()) {
      const std::size_t got = inflate_some(offset + done, to, want);
      done += got;
      if (got == 0) {
        break;
      }
      continue;
    }
    const ssize_t got = pread(descriptor_, to, want, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      fail(Errc::io,
           fmt::format("cannot read at byte {}: {}", offset + done, std::strerror(errno)));
    }
    if (got == 0) {
      break;
    }
    done += static_cast<std::size_t>(got);
  }
  return done;
}

std::size_t ByteSource::inflate_some(std::uint64_t offset, void* out, std::size_t count) {
  if (offset != gzip_->position &&
      gzseek(gzip_->file, static_cast<z_off_t>(offset), SEEK_SET) != static_cast<z_off_t>(offset)) {
    fail(Errc::corrupt_file, fmt::format("cannot inflate up to byte {}", offset));
  }
  const int got = gzread(gzip_->file, out, static_cast<unsigned>(count));
  int status = Z_OK;
  const char* reason = gzerror(gzip_->file, &status);
  if (got < 0 || (status != Z_OK && status != Z_STREAM_END)) {
    if (status == Z_ERRNO) {
      fail(Errc::io, fmt::format("cannot read: {}", std::strerror(errno)));
    }
    // zlib names the descriptor before the colon; users need only the reason.
    const std::string text(reason);
    const std::size_t colon = text.rfind(": ");
    fail(Errc::corrupt_file,
         fmt::format("is damaged gzip data: {}",
                     colon == std::string::npos ? text : text.substr(colon + 2)));
  }
  gzip_->position = offset + static_cast<std::uint64_t>(got);
  return static_cast<std::size_t>(got);
}

}  // namespace structhash::data
