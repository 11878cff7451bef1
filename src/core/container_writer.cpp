#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/checksum.hpp"
#include "core/container_layout.hpp"
#include "core/json_text.hpp"
#include "structhash/core/container.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

struct ContainerWriter::State {
  State(std::string path, std::string_view kind_name) : kind(kind_name), file(std::move(path)) {}

  void write(std::span<const std::byte> bytes) { file.write(bytes.data(), bytes.size()); }
  void pad() {
    const std::array<std::byte, layout::kAlignment> zeros{};
    write(std::span(zeros).first(layout::aligned(file.size()) - file.size()));
  }

  std::string kind;
  std::string prefix;
  AtomicFile file;
  std::vector<Section> sections;
  RunningChecksum running;
  bool inside_section = false;
};

ContainerWriter::ContainerWriter(std::string path, std::string_view kind) {
  require(layout::valid_name(kind, sizeof(layout::Head::kind) - 1),
          fmt::format("'{}' cannot be the kind of a file", kind));
  state_ = std::make_unique<State>(std::move(path), kind);
  state_->write(layout::bytes_of(layout::Head{}));  // filled in by commit
}

ContainerWriter::~ContainerWriter() = default;
ContainerWriter::ContainerWriter(ContainerWriter&&) noexcept = default;
ContainerWriter& ContainerWriter::operator=(ContainerWriter&&) noexcept = default;

void ContainerWriter::set_prefix(std::string_view prefix) {
  state_->prefix = prefix;
}

void ContainerWriter::begin_section(std::string_view short_name, ElementType type,
                                    std::size_t columns) {
  const std::string name = state_->prefix + std::string(short_name);
  require(!state_->inside_section, "a section was begun inside another one");
  require(layout::valid_name(name, sizeof(layout::Entry::name) - 1),
          fmt::format("'{}' cannot be the name of a section", name));
  require(columns >= 1, "a section needs at least one column");
  require(state_->sections.size() < layout::kMaxSections, "a file has too many sections");
  for (const Section& earlier : state_->sections) {
    require(earlier.name != name, fmt::format("two sections are named '{}'", name));
  }
  state_->sections.push_back({.name = name,
                              .type = type,
                              .rows = 0,
                              .columns = columns,
                              .offset = state_->file.size(),
                              .checksum = 0});
  state_->running.restart();
  state_->inside_section = true;
}

void ContainerWriter::append(std::span<const std::byte> bytes) {
  require(state_->inside_section, "append() outside a section");
  state_->running.add(bytes);
  state_->write(bytes);
}

void ContainerWriter::end_section() {
  require(state_->inside_section, "end_section() without begin_section()");
  Section& section = state_->sections.back();
  const std::uint64_t row_size = section.columns * element_size(section.type);
  const std::uint64_t size = state_->file.size() - section.offset;
  require(size % row_size == 0,
          fmt::format("section '{}' does not end with a whole row of {} bytes", section.name,
                      row_size));
  section.rows = size / row_size;
  section.checksum = state_->running.value();
  state_->pad();
  state_->inside_section = false;
}

void ContainerWriter::commit(std::string_view header) {
  require(!state_->inside_section, "a section was begun and not ended");
  require(header.size() <= layout::kMaxHeader, "the header of a file is too long");
  require(parse_json<nlohmann::json>(header).is_object(),
          "the header of a file must be a JSON object");
  layout::Head head{.magic = layout::kMagic,
                    .version_major = kFormatMajor,
                    .version_minor = kFormatMinor,
                    .flags = 0,
                    .kind = layout::padded<sizeof(layout::Head::kind)>(state_->kind),
                    .file_size = 0,
                    .directory_offset = state_->file.size(),
                    .directory_checksum = 0,
                    .head_checksum = 0};
  state_->running.restart();
  const auto write_directory = [this](std::span<const std::byte> bytes) {
    state_->running.add(bytes);
    state_->write(bytes);
  };
  const auto count = static_cast<std::uint32_t>(state_->sections.size());
  write_directory(layout::bytes_of(
      layout::DirectoryHead{.section_count = count, .reserved = 0, .header_size = header.size()}));
  for (const Section& section : state_->sections) {
    write_directory(layout::bytes_of(layout::Entry{
        .name = layout::padded<sizeof(layout::Entry::name)>(section.name),
        .type = layout::padded<sizeof(layout::Entry::type)>(element_name(section.type)),
        .rows = section.rows,
        .columns = section.columns,
        .offset = section.offset,
        .checksum = section.checksum}));
  }
  write_directory(std::as_bytes(std::span(header)));
  head.file_size = state_->file.size();
  head.directory_checksum = state_->running.value();
  head.head_checksum = checksum(
      layout::bytes_of(head).first(sizeof(layout::Head) - sizeof(layout::Head::head_checksum)));
  state_->file.overwrite(0, &head, sizeof(head));
  state_->file.commit();
}

}  // namespace structhash
