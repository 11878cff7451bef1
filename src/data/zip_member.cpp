#include "data/zip_member.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

/// The parts of a zip archive that matter here, all little-endian:
///
///   end record (last 22 bytes and a comment)  entries at 10, size of the directory at 12, its
///                                             offset at 16
///   its 64-bit form, 20 + 56 bytes before     the same at 32, 40 and 48
///   directory entry (46 bytes, name, extra)   flags 8, method 10, CRC-32 16, stored size 20,
///                                             size 24, lengths of name 28, extra 30, comment 32,
///                                             offset of the local header 42
///   local header (30 bytes, name, extra)      lengths of name 26 and extra 28; then the bytes
namespace structhash::data {
namespace {

constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kEnd64Locator = 20;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kLocalBytes = 30;
constexpr std::uint64_t kMaxDirectory = 1U << 26U;
constexpr std::uint32_t kIn64Bits = 0xffffffffU;  // the number is in the 64-bit extra field

/// A number of sizeof(T) bytes; the caller has checked the size.
template <typename T>
T number_at(std::string_view bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

class ZipDirectory {
 public:
  explicit ZipDirectory(const std::string& path) : source_(path) {
    if (source_.compressed()) {
      refuse("is gzipped");
    }
    size_ = source_.size();
  }

  std::vector<ZipMember> members() {
    const std::string directory = read_directory();
    std::vector<ZipMember> found;
    for (std::string_view rest = directory; !rest.empty();) {
      found.push_back(next_member(rest));
    }
    return found;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    source_.fail(Errc::corrupt_file, why + "; expected a .npz file as numpy.savez writes it");
  }

  std::string read(std::uint64_t offset, std::uint64_t count) {
    if (offset > size_ || count > size_ - offset || count > kMaxDirectory) {
      refuse("is damaged: its directory is outside of the file");
    }
    std::string bytes(count, '\0');
    source_.read(offset, bytes.data(), bytes.size());
    return bytes;
  }

  std::string read_directory() {
    const std::uint64_t tail = std::min<std::uint64_t>(size_, kEndBytes + 0xffffU);
    const std::string end = read(size_ - tail, tail);
    const std::size_t at = end.rfind("PK\5\6");
    if (at == std::string::npos || end.size() - at < kEndBytes) {
      refuse("is not a zip archive, or cut short");
    }
    std::uint64_t length = number_at<std::uint32_t>(end, at + 12);
    std::uint64_t offset = number_at<std::uint32_t>(end, at + 16);
    if (offset == kIn64Bits || length == kIn64Bits) {
      const std::uint64_t end_offset = size_ - tail + at;
      const std::string locator =
          read(end_offset - std::min<std::uint64_t>(end_offset, kEnd64Locator), kEnd64Locator);
      const std::string end64 = read(number_at<std::uint64_t>(locator, 8), 56);
      if (!locator.starts_with("PK\6\7") || !end64.starts_with("PK\6\6")) {
        refuse("is damaged: its end record is missing");
      }
      length = number_at<std::uint64_t>(end64, 40);
      offset = number_at<std::uint64_t>(end64, 48);
    }
    return read(offset, length);
  }

  ZipMember next_member(std::string_view& rest) {
    if (rest.size() < kEntryBytes || !rest.starts_with("PK\1\2")) {
      refuse("is damaged: its directory cannot be read");
    }
    const std::size_t name = number_at<std::uint16_t>(rest, 28);
    const std::size_t extra = number_at<std::uint16_t>(rest, 30);
    const std::size_t comment = number_at<std::uint16_t>(rest, 32);
    if (rest.size() - kEntryBytes < name + extra + comment) {
      refuse("is damaged: its directory cannot be read");
    }
    const auto flags = number_at<std::uint16_t>(rest, 8);
    const auto method = number_at<std::uint16_t>(rest, 10);
    ZipMember member{.name = std::string(rest.substr(kEntryBytes, name)),
                     .deflated = method == 8,
                     .begin = number_at<std::uint32_t>(rest, 42),
                     .stored = number_at<std::uint32_t>(rest, 20),
                     .size = number_at<std::uint32_t>(rest, 24),
                     .checksum = number_at<std::uint32_t>(rest, 16)};
    if ((method != 0 && method != 8) || (flags & 1U) != 0) {
      refuse(fmt::format("holds '{}', encrypted or compressed by method {}", member.name, method));
    }
    read_large_sizes(rest.substr(kEntryBytes + name, extra), member);
    rest.remove_prefix(kEntryBytes + name + extra + comment);
    find_bytes(member);
    return member;
  }

  /// The extra field 1 holds those of size, stored size and offset that need 64 bits.
  void read_large_sizes(std::string_view extra, ZipMember& member) const {
    while (extra.size() >= 4) {
      const std::size_t length =
          std::min<std::size_t>(number_at<std::uint16_t>(extra, 2), extra.size() - 4);
      if (number_at<std::uint16_t>(extra, 0) == 1) {
        std::string_view numbers = extra.substr(4, length);
        for (std::uint64_t* number : {&member.size, &member.stored, &member.begin}) {
          if (*number == kIn64Bits && numbers.size() >= 8) {
            *number = number_at<std::uint64_t>(numbers, 0);
            numbers.remove_prefix(8);
          }
        }
      }
      extra.remove_prefix(4 + length);
    }
  }

  /// Moves `begin` from the local header to the bytes behind it.
  void find_bytes(ZipMember& member) {
    const std::string local = read(member.begin, kLocalBytes);
    if (!local.starts_with("PK\3\4")) {
      refuse(fmt::format("is damaged: '{}' is not where the directory says", member.name));
    }
    member.begin +=
        kLocalBytes + number_at<std::uint16_t>(local, 26) + number_at<std::uint16_t>(local, 28);
    if (member.begin > size_ || member.stored > size_ - member.begin ||
        (!member.deflated && member.size != member.stored)) {
      refuse(fmt::format("is damaged: '{}' is cut short", member.name));
    }
  }

  ByteSource source_;
  std::uint64_t size_ = 0;
};

}  // namespace

std::vector<ZipMember> zip_members(const std::string& path) {
  return ZipDirectory(path).members();
}

}  // namespace structhash::data
