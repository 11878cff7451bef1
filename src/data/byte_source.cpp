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
#include <new>
#include <utility>
#include <vector>

namespace structhash::data {
namespace {

constexpr std::uint64_t kMaxDeflateRatio = 1032;  // bytes out per byte in, zlib's documented limit
constexpr unsigned kInflateBuffer = 1U << 18U;
constexpr std::size_t kMaxRead = 1U << 30U;  // pread and gzread take at most about 2 GiB

}  // namespace

/// zlib's own gzread ignores what follows the compressed data.
struct ByteSource::Gzip {
  Gzip() : input(kInflateBuffer) {
    constexpr int kGzipOnly = 16;  // added to the window size
    if (inflateInit2(&stream, MAX_WBITS + kGzipOnly) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Gzip() { inflateEnd(&stream); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  void restart() {
    inflateReset(&stream);
    stream.avail_in = 0;
    raw_position = 0;
    position = 0;
    between_members = false;
  }

  z_stream stream{};
  std::vector<unsigned char> input;
  std::uint64_t raw_position = 0;  // in the file
  std::uint64_t position = 0;      // in the inflated data
  bool between_members = false;    // a file may hold several compressed pieces
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
    try {
      gzip_ = std::make_unique<Gzip>();
    } catch (const std::bad_alloc&) {
      close_and_fail("cannot start inflating the file: out of memory");
    }
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
  if (offset < gzip_->position) {
    gzip_->restart();
  }
  std::vector<char> skipped(offset > gzip_->position ? kInflateBuffer : 0);
  while (gzip_->position < offset) {
    const std::size_t most = std::min<std::uint64_t>(skipped.size(), offset - gzip_->position);
    if (inflate_next(skipped.data(), most) == 0) {
      return 0;
    }
  }
  return inflate_next(out, count);
}

std::size_t ByteSource::inflate_next(void* out, std::size_t count) {
  z_stream& stream = gzip_->stream;
  stream.next_out = static_cast<unsigned char*>(out);
  stream.avail_out = static_cast<unsigned>(count);
  while (stream.avail_out > 0) {
    if (stream.avail_in == 0 && !refill()) {
      if (gzip_->between_members) {
        break;
      }
      fail(Errc::corrupt_file, "is damaged gzip data: unexpected end of file");
    }
    if (gzip_->between_members) {
      start_next_member();
      continue;
    }
    const int status = inflate(&stream, Z_NO_FLUSH);
    gzip_->between_members = status == Z_STREAM_END;
    if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    }
    if (status != Z_OK && status != Z_STREAM_END) {
      fail(Errc::corrupt_file,
           fmt::format("is damaged gzip data: {}", stream.msg == nullptr ? "no data" : stream.msg));
    }
  }
  const std::size_t got = count - stream.avail_out;
  gzip_->position += got;
  return got;
}

/// Another compressed piece, or the zeros that tapes are filled with.
void ByteSource::start_next_member() {
  constexpr unsigned char kMagic = 0x1f;
  z_stream& stream = gzip_->stream;
  if (*stream.next_in == kMagic) {
    inflateReset(&stream);
    gzip_->between_members = false;
  } else if (*stream.next_in == 0) {
    ++stream.next_in;
    --stream.avail_in;
  } else {
    fail(Errc::corrupt_file, fmt::format("is damaged: byte {} and what follows is not gzip data",
                                         gzip_->raw_position - stream.avail_in + 1));
  }
}

/// Reads more of the file; false at its end.
bool ByteSource::refill() {
  ssize_t got = -1;
  do {
    got = pread(descriptor_, gzip_->input.data(), gzip_->input.size(),
                static_cast<off_t>(gzip_->raw_position));
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    fail(Errc::io, fmt::format("cannot read: {}", std::strerror(errno)));
  }
  gzip_->raw_position += static_cast<std::uint64_t>(got);
  gzip_->stream.next_in = gzip_->input.data();
  gzip_->stream.avail_in = static_cast<unsigned>(got);
  return got > 0;
}

}  // namespace structhash::data
