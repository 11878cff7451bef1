#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The container of every StructHash file (docs/format.md): a fixed head, named little-endian
/// arrays on 64-byte boundaries, and at the end a directory with a JSON header.  Every byte is
/// covered by a checksum or must be zero, so any damage is detected; nothing is executable.
namespace structhash {

class MappedFile;  // core/mapped_file.hpp

inline constexpr std::uint16_t kFormatMajor = 1;  // readers refuse any other major version
inline constexpr std::uint16_t kFormatMinor = 0;  // a newer minor version only adds things

enum class ElementType { u8, i32, u32, i64, u64, f32, f64 };

std::string_view element_name(ElementType type);  // "f32"
std::size_t element_size(ElementType type);       // bytes

template <typename T>
consteval ElementType element_type_of() {
  if constexpr (std::same_as<T, std::uint8_t>) {
    return ElementType::u8;
  } else if constexpr (std::same_as<T, std::int32_t>) {
    return ElementType::i32;
  } else if constexpr (std::same_as<T, std::uint32_t>) {
    return ElementType::u32;
  } else if constexpr (std::same_as<T, std::int64_t>) {
    return ElementType::i64;
  } else if constexpr (std::same_as<T, std::uint64_t>) {
    return ElementType::u64;
  } else if constexpr (std::same_as<T, float>) {
    return ElementType::f32;
  } else {
    static_assert(std::same_as<T, double>, "files hold no elements of this type");
    return ElementType::f64;
  }
}

/// One array of a file: `rows` x `columns` elements, row-major.
struct Section {
  std::string name;
  ElementType type = ElementType::u8;
  std::uint64_t rows = 0;
  std::uint64_t columns = 1;  // >= 1; 1 for a plain vector
  std::uint64_t offset = 0;   // from the start of the file, a multiple of 64
  std::uint64_t checksum = 0;

  std::uint64_t bytes() const { return rows * columns * element_size(type); }
};

/// Writes a file section by section; nothing appears under `path` before `commit`.
/// Names: lower-case letters, digits, '.', '_' and '-'; at most 15 characters for the kind of file,
/// 23 for a section.  The same calls give the same bytes.
class ContainerWriter {
 public:
  ContainerWriter(std::string path, std::string_view kind);
  ~ContainerWriter();
  ContainerWriter(ContainerWriter&&) noexcept;
  ContainerWriter& operator=(ContainerWriter&&) noexcept;

  /// A whole section at once.
  template <typename T>
  void add(std::string_view name, std::span<const T> values, std::size_t columns = 1) {
    begin_section(name, element_type_of<T>(), columns);
    append(std::as_bytes(values));
    end_section();
  }

  /// Begins the names of all further sections; see Container::part.
  void set_prefix(std::string_view prefix);

  /// A section of unknown length: begin, append any number of times, end.
  void begin_section(std::string_view name, ElementType type, std::size_t columns);
  void append(std::span<const std::byte> bytes);
  void end_section();

  /// Writes the directory with `header`, a JSON object, and renames the file to `path`.
  void commit(std::string_view header);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// How much of a file is compared with its checksums when it is opened.
enum class Verify {
  everything,
  /// All but sections of more than kLargeSection bytes, so that the time to open a file does not
  /// grow with its size.  Code that reads such a section must handle any content.
  all_but_large,
};
inline constexpr std::uint64_t kLargeSection = std::uint64_t{1} << 20U;

/// A file opened for reading: mapped, and checked before any of its content is used.
/// Damage throws Errc::corrupt_file with the name of the file and what to do.
class Container {
 public:
  explicit Container(const std::string& path, Verify verify = Verify::everything);
  /// Also refuses a file of another kind.
  Container(const std::string& path, std::string_view expected_kind,
            Verify verify = Verify::everything);

  const std::string& path() const;
  const std::string& kind() const { return kind_; }
  std::uint16_t minor_version() const { return minor_; }
  const std::string& header() const { return header_; }  // a JSON object
  /// 16 hexadecimal digits that depend on the whole content: equal for equal files.
  const std::string& identity() const { return identity_; }
  std::span<const Section> sections() const { return sections_; }

  /// The sections whose names begin with the prefix, under the rest of their names.
  Container part(std::string_view prefix) const;

  /// The section, or an error that names it if it is missing or of another element type.
  const Section& section(std::string_view name, ElementType type) const;

  /// The elements of a section, inside the mapping: valid as long as this object.
  template <typename T>
  std::span<const T> array(std::string_view name) const {
    const Section& found = section(name, element_type_of<T>());
    return {reinterpret_cast<const T*>(bytes().data() + found.offset),
            static_cast<std::size_t>(found.rows * found.columns)};
  }

  /// Throws Errc::corrupt_file about this file: for readers of the content.
  [[noreturn]] void fail_corrupt(std::string_view what) const;

 private:
  std::span<const std::byte> bytes() const;

  std::shared_ptr<const MappedFile> file_;
  std::string kind_;
  std::uint16_t minor_ = 0;
  std::string header_;
  std::string identity_;
  std::vector<Section> sections_;
};

struct SectionStatus {
  Section section;
  bool intact = false;  // the stored checksum is that of the bytes
};

/// The description stored in a file, and which of its sections are intact.
struct FileDescription {
  std::string kind;
  std::uint16_t version_major = 0;
  std::uint16_t version_minor = 0;
  std::uint64_t file_size = 0;
  std::string header;    // a JSON object
  std::string identity;  // as Container::identity
  std::vector<SectionStatus> sections;
  bool intact = false;  // all sections, and zero bytes between them
};

/// Throws Errc::corrupt_file only if the head or the directory is damaged.
FileDescription describe_file(const std::string& path);

/// The kind of a file, "index" for example; reads the head only.
std::string file_kind(const std::string& path);

}  // namespace structhash
