#pragma once

#include <cstring>
#include <functional>
#include <string>

#include "core/checksum.hpp"
#include "core/container_layout.hpp"

/// Files that lie and whose checksums are nevertheless right: only the checks of the numbers
/// themselves can refuse them.
namespace structhash::test {

inline std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

inline void put(std::string& file, std::size_t offset, const void* data, std::size_t size) {
  std::memcpy(file.data() + offset, data, size);
}

/// Changes the head and makes its checksum right again.
inline std::string forge_head(std::string file, const std::function<void(layout::Head&)>& change) {
  auto head = layout::load<layout::Head>(as_bytes(file), 0);
  change(head);
  head.head_checksum = checksum(layout::bytes_of(head).first(sizeof(head) - sizeof(std::uint64_t)));
  put(file, 0, &head, sizeof(head));
  return file;
}

/// After a change of the bytes of the directory: file size and checksums made right again.
inline std::string reseal(std::string file) {
  const auto start = layout::load<layout::Head>(as_bytes(file), 0).directory_offset;
  const std::uint64_t sum = checksum(as_bytes(file).subspan(start));
  const std::uint64_t size = file.size();
  return forge_head(std::move(file), [&](layout::Head& head) {
    head.file_size = size;
    head.directory_checksum = sum;
  });
}

inline std::string forge_directory(std::string file,
                                   const std::function<void(layout::DirectoryHead&)>& change) {
  const auto start = layout::load<layout::Head>(as_bytes(file), 0).directory_offset;
  auto head = layout::load<layout::DirectoryHead>(as_bytes(file), start);
  change(head);
  put(file, start, &head, sizeof(head));
  return reseal(std::move(file));
}

inline std::string forge_entry(std::string file, std::size_t number,
                               const std::function<void(layout::Entry&)>& change) {
  const auto start = layout::load<layout::Head>(as_bytes(file), 0).directory_offset +
                     sizeof(layout::DirectoryHead) + number * sizeof(layout::Entry);
  auto entry = layout::load<layout::Entry>(as_bytes(file), start);
  change(entry);
  put(file, start, &entry, sizeof(entry));
  return reseal(std::move(file));
}

/// Replaces the JSON header, which ends the file.
inline std::string forge_header(std::string file, const std::string& header) {
  const auto start = layout::load<layout::Head>(as_bytes(file), 0).directory_offset;
  const auto head = layout::load<layout::DirectoryHead>(as_bytes(file), start);
  file.resize(file.size() - head.header_size);
  file += header;
  return forge_directory(std::move(file), [&](layout::DirectoryHead& directory) {
    directory.header_size = header.size();
  });
}

/// Replaces bytes of a section and makes its checksum right again.
inline std::string forge_section(std::string file, std::size_t number, std::size_t at,
                                 const std::string& bytes) {
  const auto start = layout::load<layout::Head>(as_bytes(file), 0).directory_offset +
                     sizeof(layout::DirectoryHead) + number * sizeof(layout::Entry);
  const auto entry = layout::load<layout::Entry>(as_bytes(file), start);
  const std::size_t element = std::string(entry.type.data()) == "u8"     ? 1
                              : std::string(entry.type.data())[1] == '3' ? 4
                                                                         : 8;
  put(file, entry.offset + at, bytes.data(), bytes.size());
  const std::uint64_t sum =
      checksum(as_bytes(file).subspan(entry.offset, entry.rows * entry.columns * element));
  return forge_entry(std::move(file), number,
                     [&](layout::Entry& changed) { changed.checksum = sum; });
}

}  // namespace structhash::test
