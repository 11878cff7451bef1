#include <fmt/format.h>

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

std::string as_text(const std::string& path, const FileDescription& file, bool color) {
  std::string text = fmt::format("{}: {} file, format {}.{}, {} bytes, {}, {}\n\n", path, file.kind,
                                 file.version_major, file.version_minor, file.file_size,
                                 file.identity, file.intact ? "intact" : "DAMAGED");
  const auto header = nlohmann::ordered_json::parse(file.header);
  for (const auto& [key, value] : header.items()) {
    text += fmt::format("{:<14} {}\n", key,
                        value.is_string() ? value.get<std::string>() : value.dump());
  }
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
