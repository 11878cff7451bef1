#include "structhash/core/container.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/checksum.hpp"
#include "core/container_layout.hpp"
#include "core/json_text.hpp"
#include "core/mapped_file.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

using Bytes = std::span<const std::byte>;

struct ElementEntry {
  std::string_view name;
  std::size_t size;
};

constexpr std::array kElements{
    // in the order of ElementType
    ElementEntry{"u8", 1},  ElementEntry{"i32", 4}, ElementEntry{"u32", 4}, ElementEntry{"i64", 8},
    ElementEntry{"u64", 8}, ElementEntry{"f32", 4}, ElementEntry{"f64", 8}};

std::optional<ElementType> element_type_named(std::string_view name) {
  const auto* const found = std::ranges::find(kElements, name, &ElementEntry::name);
  if (found == kElements.end()) {
    return std::nullopt;
  }
  return static_cast<ElementType>(found - kElements.begin());
}

[[noreturn]] void corrupt(const std::string& path, std::string_view what) {
  fail(Errc::corrupt_file,
       fmt::format("{} is damaged: {}; restore it from a copy or write it again", path, what));
}

/// Parses head and directory of a mapped file.  Each number is checked before it is used: nothing
/// is read outside the file, and no more memory is allocated than the file can fill.
class Parser {
 public:
  explicit Parser(const MappedFile& file) : path_(file.path()), bytes_(file.bytes()) {}

  FileDescription parse() {
    parse_head();
    parse_directory();
    return std::move(result_);
  }
  std::string kind() {
    parse_head();
    return result_.kind;
  }

 private:
  void check(bool condition, std::string_view what) const {
    if (!condition) {
      corrupt(path_, what);
    }
  }

  void parse_head() {
    const bool has_magic = bytes_.size() >= layout::kMagic.size() &&
                           std::ranges::equal(bytes_.first(layout::kMagic.size()),
                                              std::as_bytes(std::span(layout::kMagic)));
    if (!has_magic) {
      fail(Errc::corrupt_file,
           fmt::format("{} is not a StructHash file: its first bytes differ", path_));
    }
    check(bytes_.size() >= sizeof(layout::Head), "it ends inside its head");
    head_ = layout::load<layout::Head>(bytes_, 0);
    const Bytes covered = bytes_.first(sizeof(layout::Head) - sizeof(head_.head_checksum));
    check(checksum(covered) == head_.head_checksum, "its head does not match its checksum");
    if (head_.version_major != kFormatMajor || head_.flags != 0) {
      fail(Errc::corrupt_file,
           fmt::format("{} has format version {}.{} (flags {:#x}); this program reads version {}; "
                       "use the structhash release that wrote it or a newer one",
                       path_, head_.version_major, head_.version_minor, head_.flags, kFormatMajor));
    }
    check(head_.file_size == bytes_.size(),
          fmt::format("it has {} bytes instead of {}", bytes_.size(), head_.file_size));
    result_.kind = layout::text_of(head_.kind);
    check(!result_.kind.empty(), "its kind is not a name");
    result_.version_major = head_.version_major;
    result_.version_minor = head_.version_minor;
    result_.file_size = head_.file_size;
    // The directory holds the header and the checksums of all sections.
    result_.identity = fmt::format("{:016x}", head_.directory_checksum);
  }

  void parse_directory() {
    const std::uint64_t start = head_.directory_offset;
    check(start >= sizeof(layout::Head) && start % layout::kAlignment == 0 &&
              start <= bytes_.size() && bytes_.size() - start >= sizeof(layout::DirectoryHead),
          "the offset of its directory is invalid");
    const Bytes directory = bytes_.subspan(start);
    check(checksum(directory) == head_.directory_checksum,
          "its directory does not match its checksum");
    const auto head = layout::load<layout::DirectoryHead>(directory, 0);
    const std::uint64_t room = directory.size() - sizeof(layout::DirectoryHead);
    const std::uint64_t entries_size = std::uint64_t{head.section_count} * sizeof(layout::Entry);
    check(head.reserved == 0 && head.section_count <= layout::kMaxSections &&
              entries_size <= room && head.header_size == room - entries_size &&
              head.header_size <= layout::kMaxHeader,
          "the sizes in its directory do not add up");
    parse_entries(directory.subspan(sizeof(layout::DirectoryHead), entries_size));
    const Bytes text = directory.last(head.header_size);
    result_.header.assign(reinterpret_cast<const char*>(text.data()), text.size());
    check(parse_json<nlohmann::json>(result_.header).is_object(),
          "its header is not a JSON object");
  }

  /// Sections follow each other without gaps, each on the next 64-byte boundary.
  void parse_entries(Bytes entries) {
    std::uint64_t position = sizeof(layout::Head);
    for (std::uint64_t at = 0; at < entries.size(); at += sizeof(layout::Entry)) {
      const auto entry = layout::load<layout::Entry>(entries, at);
      const std::string name(layout::text_of(entry.name));
      check(!name.empty(), "the name of a section is invalid");
      for (const SectionStatus& earlier : result_.sections) {
        check(earlier.section.name != name, fmt::format("two sections are named '{}'", name));
      }
      const auto type = element_type_named(layout::text_of(entry.type));
      check(type.has_value(), fmt::format("section '{}' has an unknown element type", name));
      check(entry.offset == position, fmt::format("section '{}' has a wrong offset", name));
      const std::uint64_t room = (head_.directory_offset - position) / element_size(*type);
      check(entry.columns >= 1 && entry.columns <= layout::kMaxColumns &&
                entry.rows <= room / entry.columns,
            fmt::format("section '{}' does not fit into the file", name));
      const Section section{name, *type, entry.rows, entry.columns, entry.offset, entry.checksum};
      position = layout::aligned(position + section.bytes());
      check(position <= head_.directory_offset,
            fmt::format("section '{}' does not fit into the file", name));
      result_.sections.push_back({.section = section, .intact = false});
    }
    check(position == head_.directory_offset, "there are bytes that belong to no section");
  }

  const std::string& path_;
  Bytes bytes_;
  layout::Head head_{};
  FileDescription result_;
};

/// Compares sections with their checksums; `intact` is false where they differ.
FileDescription parse_and_verify(const MappedFile& file, Verify verify) {
  FileDescription description = Parser(file).parse();
  description.intact = true;
  for (auto& [section, intact] : description.sections) {
    const std::uint64_t size = section.bytes();
    const std::uint64_t end = section.offset + size;
    const Bytes padding = file.bytes().subspan(end, layout::aligned(end) - end);
    const bool skipped = verify == Verify::all_but_large && size > kLargeSection;
    intact = skipped || checksum(file.bytes().subspan(section.offset, size)) == section.checksum;
    const bool zeros =
        std::ranges::all_of(padding, [](std::byte byte) { return byte == std::byte{0}; });
    description.intact = description.intact && intact && zeros;
  }
  return description;
}

}  // namespace

std::string_view element_name(ElementType type) {
  return kElements.at(static_cast<std::size_t>(type)).name;
}

std::size_t element_size(ElementType type) {
  return kElements.at(static_cast<std::size_t>(type)).size;
}

const std::string& Container::path() const {
  return file_->path();
}

std::span<const std::byte> Container::bytes() const {
  return file_->bytes();
}

Container::Container(const std::string& path, Verify verify)
    : file_(std::make_shared<const MappedFile>(path)) {
  FileDescription description = parse_and_verify(*file_, verify);
  for (const SectionStatus& status : description.sections) {
    if (!status.intact) {
      fail_corrupt(fmt::format("section '{}' does not match its checksum", status.section.name));
    }
    sections_.push_back(status.section);
  }
  if (!description.intact) {
    fail_corrupt("the bytes between its sections are not zero");
  }
  kind_ = std::move(description.kind);
  minor_ = description.version_minor;
  header_ = std::move(description.header);
  identity_ = std::move(description.identity);
}

Container::Container(const std::string& path, std::string_view expected_kind, Verify verify)
    : Container(path, verify) {
  if (kind_ != expected_kind) {
    fail(Errc::corrupt_file,
         fmt::format("{} is a file of kind '{}', not '{}'", path, kind_, expected_kind));
  }
}

Container Container::part(std::string_view prefix) const {
  Container part = *this;
  std::erase_if(part.sections_, [&](Section& section) {
    const bool outside = !section.name.starts_with(prefix);
    section.name.erase(0, outside ? 0 : prefix.size());
    return outside;
  });
  return part;
}

const Section& Container::section(std::string_view name, ElementType type) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  if (found == sections_.end()) {
    fail_corrupt(fmt::format("section '{}' is missing", name));
  }
  if (found->type != type) {
    fail_corrupt(fmt::format("section '{}' holds {} elements, not {}", name,
                             element_name(found->type), element_name(type)));
  }
  return *found;
}

void Container::fail_corrupt(std::string_view what) const {
  corrupt(path(), what);
}

FileDescription describe_file(const std::string& path) {
  return parse_and_verify(MappedFile(path), Verify::everything);
}

std::string file_kind(const std::string& path) {
  const MappedFile file(path);
  return Parser(file).kind();
}

}  // namespace structhash
