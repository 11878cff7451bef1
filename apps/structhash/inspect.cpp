#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "session.hpp"
#include "structhash/core/container.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

nlohmann::ordered_json as_json(const std::string& path, const FileDescription& file) {
  nlohmann::ordered_json sections = nlohmann::ordered_json::array();
  for (const SectionStatus& entry : file.sections) {
    sections.push_back({{"name", entry.section.name},
                        {"type", element_name(entry.section.type)},
                        {"rows", entry.section.rows},
                        {"columns", entry.section.columns},
                        {"bytes", entry.section.bytes()},
                        {"checksum", fmt::format("{:016x}", entry.section.checksum)},
                        {"intact", entry.intact}});
  }
  return {{"file", path},
          {"kind", file.kind},
          {"version", fmt::format("{}.{}", file.version_major, file.version_minor)},
          {"bytes", file.file_size},
          {"identity", file.identity},
          {"intact", file.intact},
          {"header", nlohmann::ordered_json::parse(file.header)},
          {"sections", sections}};
}

/// A value on one line; long lists are cut.
std::string short_text(const nlohmann::ordered_json& value) {
  constexpr std::size_t kShown = 8;
  if (value.empty()) {
    return "none";
  }
  if (value.is_array()) {
    std::string text;
    for (std::size_t i = 0; i < std::min(kShown, value.size()); ++i) {
      text += (i > 0 ? ", " : "") + short_text(value[i]);
    }
    return value.size() > kShown ? fmt::format("{}, ... ({} in all)", text, value.size()) : text;
  }
  if (value.is_number_float()) {
    return fmt::format("{:.6g}", value.get<double>());
  }
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// One line per value; objects are indented under their name.
std::string lines_of(const nlohmann::ordered_json& object, std::size_t indent) {
  std::size_t width = 0;
  for (const auto& [key, value] : object.items()) {
    width = std::max(width, value.is_object() ? 0 : key.size());
  }
  std::string text;
  for (const auto& [key, value] : object.items()) {
    text += std::string(indent, ' ');
    text += value.is_object() ? key + "\n" + lines_of(value, indent + 2)
                              : fmt::format("{:<{}}  {}\n", key, width, short_text(value));
  }
  return text;
}

std::string as_text(const std::string& path, const FileDescription& file, bool color) {
  std::string text = fmt::format("{}: {} file, format {}.{}, {} bytes, {}, {}\n\n", path, file.kind,
                                 file.version_major, file.version_minor, file.file_size,
                                 file.identity, file.intact ? "intact" : "DAMAGED");
  text += lines_of(nlohmann::ordered_json::parse(file.header), 0);
  std::vector<std::vector<std::string>> rows{
      {"section", "type", "rows", "columns", "bytes", "checksum (xxh3)", "state"}};
  for (const SectionStatus& entry : file.sections) {
    rows.push_back({entry.section.name, std::string(element_name(entry.section.type)),
                    fmt::to_string(entry.section.rows), fmt::to_string(entry.section.columns),
                    fmt::to_string(entry.section.bytes()),
                    fmt::format("{:016x}", entry.section.checksum),
                    entry.intact ? "intact" : "DAMAGED"});
  }
  return text + "\n" + table_text(rows, color);
}

void run(const std::string& path, const Session& session) {
  const FileDescription file = describe_file(path);
  print_data(session.json ? json_text(as_json(path, file))
                          : as_text(path, file, use_color(session.color, 1)));
  if (!file.intact) {
    flush_data();
    fail(Errc::corrupt_file, path +
                                 " is damaged: bytes do not match their checksums; restore it "
                                 "from a copy or write it again");
  }
}

}  // namespace

void add_inspect(CLI::App& app, Session& session) {
  Command command(app, "inspect", "Describe a StructHash file and check every byte of it",
                  "  structhash inspect model.shm\n"
                  "  structhash inspect codes.shc --json\n");
  auto path = std::make_shared<std::string>();
  command.input({"file", "FILE", "A model, code or index file"}, *path, Need::required);
  add_output_options(command, session);
  command.action([path, &session] { run(*path, session); });
}

}  // namespace structhash::cli
