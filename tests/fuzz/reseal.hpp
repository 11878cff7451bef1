#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/checksum.hpp"
#include "core/container_layout.hpp"
#include "fuzz/targets.hpp"

namespace structhash::fuzz {

template <typename T>
void store(std::vector<std::uint8_t>& file, std::size_t at, const T& value) {
  std::memcpy(file.data() + at, &value, sizeof(T));
}

inline std::span<const std::byte> view(const std::vector<std::uint8_t>& file) {
  return std::as_bytes(std::span(file));
}

/// Makes the checksum of every section right whose place lies inside the file.
inline void reseal_sections(std::vector<std::uint8_t>& file, std::uint64_t directory) {
  const auto head = layout::load<layout::DirectoryHead>(view(file), directory);
  std::uint64_t at = directory + sizeof(layout::DirectoryHead);
  for (std::uint32_t i = 0; i < std::min(head.section_count, layout::kMaxSections); ++i) {
    if (file.size() - at < sizeof(layout::Entry)) {
      return;
    }
    auto entry = layout::load<layout::Entry>(view(file), at);
    const std::string_view type(entry.type.data(), 3);
    const std::uint64_t size = type.starts_with("u8") ? 1 : type.substr(1) == "32" ? 4 : 8;
    const std::uint64_t room = directory - std::min(directory, entry.offset);
    if (entry.offset <= directory && entry.columns > 0 &&
        entry.rows <= room / size / entry.columns) {
      entry.checksum =
          checksum(view(file).subspan(entry.offset, entry.rows * entry.columns * size));
      store(file, at, entry);
    }
    at += sizeof(layout::Entry);
  }
}

/// The file with all checksums made right: a fuzzer cannot find them, whoever forges a file can.
inline std::vector<std::uint8_t> reseal(Bytes bytes) {
  std::vector<std::uint8_t> file(bytes.begin(), bytes.end());
  if (file.size() < sizeof(layout::Head)) {
    return file;
  }
  auto head = layout::load<layout::Head>(view(file), 0);
  head.magic = layout::kMagic;
  head.version_major = 1;
  head.flags = 0;
  head.file_size = file.size();
  const std::uint64_t directory = head.directory_offset;
  if (directory >= sizeof(head) && directory <= file.size() &&
      file.size() - directory >= sizeof(layout::DirectoryHead)) {
    reseal_sections(file, directory);
    head.directory_checksum = checksum(view(file).subspan(directory));
  }
  head.head_checksum = checksum(layout::bytes_of(head).first(sizeof(head) - sizeof(std::uint64_t)));
  store(file, 0, head);
  return file;
}

}  // namespace structhash::fuzz
