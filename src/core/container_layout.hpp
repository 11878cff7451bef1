#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

/// The fixed structures of a container file, byte for byte as docs/format.md describes them.
namespace structhash::layout {

static_assert(std::endian::native == std::endian::little,
              "files are little-endian and mapped as they are");

inline constexpr std::uint64_t kAlignment = 64;
/// A first byte above 127 and both line ends reveal a transfer in text mode.
inline constexpr std::array<unsigned char, 8> kMagic{0x89, 'S', 'H', 'F', '\r', '\n', 0x1A, '\n'};
/// Headers are descriptions; arrays belong in sections.
inline constexpr std::uint64_t kMaxHeader = std::uint64_t{1} << 24U;

/// Names of sections are compared pairwise, so a file must not claim millions of sections.
inline constexpr std::uint32_t kMaxSections = 1024;

/// A section without rows may claim any width; code uses it as a signed number.
inline constexpr std::uint64_t kMaxColumns = std::numeric_limits<std::int64_t>::max();

/// At offset 0.  This structure stays the same in every version of the format.
struct Head {
  std::array<unsigned char, 8> magic;
  std::uint16_t version_major;
  std::uint16_t version_minor;
  std::uint32_t flags;  // 0
  std::array<char, 16> kind;
  std::uint64_t file_size;
  std::uint64_t directory_offset;
  std::uint64_t directory_checksum;
  std::uint64_t head_checksum;  // of the bytes before it
};
static_assert(sizeof(Head) == 64);

/// At directory_offset, followed by the entries, the JSON header and the end of the file.
struct DirectoryHead {
  std::uint32_t section_count;
  std::uint32_t reserved;  // 0
  std::uint64_t header_size;
};
static_assert(sizeof(DirectoryHead) == 16);

struct Entry {
  std::array<char, 24> name;
  std::array<char, 8> type;
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t offset;
  std::uint64_t checksum;
};
static_assert(sizeof(Entry) == 64);

inline constexpr std::uint64_t aligned(std::uint64_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

/// Reads a structure from any address, aligned or not.
template <typename T>
T load(std::span<const std::byte> bytes, std::uint64_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

inline bool valid_name(std::string_view name, std::size_t max_length) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789._-";
  return !name.empty() && name.size() <= max_length &&
         name.find_first_not_of(allowed) == std::string_view::npos;
}

template <std::size_t N>
std::array<char, N> padded(std::string_view name) {
  std::array<char, N> field{};
  name.copy(field.data(), N - 1);
  return field;
}

/// The text of a zero-padded field; empty if it is not a valid name followed by zeros only.
template <std::size_t N>
std::string_view text_of(const std::array<char, N>& field) {
  const std::string_view whole(field.data(), N);
  const std::string_view name = whole.substr(0, whole.find('\0'));
  const bool clean = whole.find_first_not_of('\0', name.size()) == std::string_view::npos;
  return clean && valid_name(name, N - 1) ? name : std::string_view{};
}

}  // namespace structhash::layout
