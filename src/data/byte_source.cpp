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
#include <optional>
#include <utility>
#include <vector>

namespace structhash::data {
namespace {

constexpr std::uint64_t kMaxDeflateRatio = 1032;  // bytes out per byte in, zlib's documented limit
constexpr unsigned kInflateBuffer = 1U << 18U;
constexpr std::size_t kMaxRead = 1U << 30U;  // pread and gzread take at most about 2 GiB

}  // namespace

/// zlib's own gzread ignores what follows the compressed data.
struct ByteSource::Inflater {
  explicit Inflater(std::optional<std::uint32_t> expected_)
      : input(kInflateBuffer), expected(expected_) {
    constexpr int kGzipOnly = MAX_WBITS + 16;
    constexpr int kWithoutHeader = -MAX_WBITS;
    if (inflateInit2(&stream, expected ? kWithoutHeader : kGzipOnly) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  void restart() {
    inflateReset(&stream);
    stream.avail_in = 0;
    raw_position = 0;
    position = 0;
    between_members = false;
    checksum = 0;
  }

  z_stream stream{};
  std::vector<unsigned char> input;
  std::uint64_t raw_position = 0;         // in the file
  std::uint64_t position = 0;             // in the inflated data
  bool between_members = false;           // a file may hold several compressed pieces
  std::optional<std::uint32_t> expected;  // CRC-32 of a member of a zip archive, which has no other
  std::uint32_t checksum = 0;             // of the inflated data so far
};

ByteSource::ByteSource(std::string path) : path_(std::move(path)) {
  open_file(path_);
  std::array<unsigned char, 2> magic{};
  if (pread(descriptor_, magic.data(), 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b) {
    start_inflating(std::nullopt);
  }
}

ByteSource::ByteSource(const std::string& archive, const ZipMember& member)
    : path_(archive + ":" + member.name) {
  open_file(archive);
  begin_ = member.begin;
  file_size_ = member.stored;
  if (member.deflated) {
    start_inflating(member.checksum);
  }
}

void ByteSource::open_file(const std::string& path) {
  // O_NONBLOCK: opening a pipe without a writer must not block.
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    fail(Errc::io, fmt::format("cannot open the file: {}", std::strerror(errno)));
  }
  struct stat status{};
  if (fstat(descriptor_, &status) != 0) {
    close_and_fail(fmt::format("cannot read the file's size: {}", std::strerror(errno)));
  }
  if (!S_ISREG(status.st_mode)) {
    close_and_fail(S_ISDIR(status.st_mode) ? "is a folder, not a file"
                                           : "is not a regular file; save it to disk first");
  }
  file_size_ = static_cast<std::uint64_t>(status.st_size);
}

void ByteSource::start_inflating(std::optional<std::uint32_t> expected) {
  try {
    inflater_ = std::make_unique<Inflater>(expected);
  } catch (const std::bad_alloc&) {
    close_and_fail("cannot start inflating the file: out of memory");
  }
}

/// For constructors, after which there is no destructor.
void ByteSource::close_and_fail(const std::string& message) const {
  close(descriptor_);
  fail(Errc::io, message);
}

ByteSource::~ByteSource() {
  close(descriptor_);
}

bool ByteSource::compressed() const {
  return inflater_ != nullptr;
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
    const std::size_t left = file_size_ > offset + done ? file_size_ - offset - done : 0;
    const ssize_t got = pread(descriptor_, to, std::min<std::uint64_t>(want, left),
                              static_cast<off_t>(begin_ + offset + done));
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
  if (offset < inflater_->position) {
    inflater_->restart();
  }
  std::vector<char> skipped(offset > inflater_->position ? kInflateBuffer : 0);
  while (inflater_->position < offset) {
    const std::size_t most = std::min<std::uint64_t>(skipped.size(), offset - inflater_->position);
    if (inflate_next(skipped.data(), most) == 0) {
      return 0;
    }
  }
  return inflate_next(out, count);
}

std::size_t ByteSource::inflate_next(void* out, std::size_t count) {
  z_stream& stream = inflater_->stream;
  stream.next_out = static_cast<unsigned char*>(out);
  stream.avail_out = static_cast<unsigned>(count);
  while (stream.avail_out > 0) {
    if (inflater_->between_members && inflater_->expected) {
      break;
    }
    if (stream.avail_in == 0 && !refill()) {
      if (inflater_->between_members) {
        break;
      }
      fail(Errc::corrupt_file, "is damaged gzip data: unexpected end of file");
    }
    if (inflater_->between_members) {
      start_next_member();
      continue;
    }
    const int status = inflate(&stream, Z_NO_FLUSH);
    inflater_->between_members = status == Z_STREAM_END;
    if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    }
    if (status != Z_OK && status != Z_STREAM_END) {
      fail(Errc::corrupt_file,
           fmt::format("is damaged gzip data: {}", stream.msg == nullptr ? "no data" : stream.msg));
    }
  }
  const std::size_t got = count - stream.avail_out;
  inflater_->position += got;
  if (inflater_->expected) {
    inflater_->checksum = static_cast<std::uint32_t>(crc32(
        inflater_->checksum, static_cast<const unsigned char*>(out), static_cast<unsigned>(got)));
    if (inflater_->between_members && inflater_->checksum != *inflater_->expected) {
      fail(Errc::corrupt_file, "is damaged: its bytes do not match their checksum");
    }
  }
  return got;
}

/// Another compressed piece, or the zeros that tapes are filled with.
void ByteSource::start_next_member() {
  constexpr unsigned char kMagic = 0x1f;
  z_stream& stream = inflater_->stream;
  if (*stream.next_in == kMagic) {
    inflateReset(&stream);
    inflater_->between_members = false;
  } else if (*stream.next_in == 0) {
    ++stream.next_in;
    --stream.avail_in;
  } else {
    fail(Errc::corrupt_file, fmt::format("is damaged: byte {} and what follows is not gzip data",
                                         inflater_->raw_position - stream.avail_in + 1));
  }
}

/// Reads more of the file; false at its end.
bool ByteSource::refill() {
  ssize_t got = -1;
  do {
    got = pread(
        descriptor_, inflater_->input.data(),
        std::min<std::uint64_t>(inflater_->input.size(), file_size_ - inflater_->raw_position),
        static_cast<off_t>(begin_ + inflater_->raw_position));
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    fail(Errc::io, fmt::format("cannot read: {}", std::strerror(errno)));
  }
  inflater_->raw_position += static_cast<std::uint64_t>(got);
  inflater_->stream.next_in = inflater_->input.data();
  inflater_->stream.avail_in = static_cast<unsigned>(got);
  return got > 0;
}

}  // namespace structhash::data
