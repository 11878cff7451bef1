#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/public_sets.hpp"
#include "session.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

nlohmann::ordered_json as_json(const PublicSet& set) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const PublicFile& file : set.files) {
    nlohmann::ordered_json entry{{"name", file.name}, {"size", nullptr}, {"sha256", nullptr}};
    if (file.size >= 0) {
      entry["size"] = file.size;
    }
    if (!file.sha256.empty()) {
      entry["sha256"] = file.sha256;
    }
    files.push_back(std::move(entry));
  }
  return {{"name", set.name},     {"folder", set.folder},   {"summary", set.summary},
          {"source", set.source}, {"licence", set.licence}, {"files", std::move(files)}};
}

void list_sets(const Session& session) {
  if (session.json) {
    nlohmann::ordered_json sets = nlohmann::ordered_json::array();
    for (const PublicSet& set : public_sets()) {
      sets.push_back(as_json(set));
    }
    print_data(json_text(sets));
    return;
  }
  std::string text;
  for (const PublicSet& set : public_sets()) {
    text += fmt::format("{} ({}/)\n  {}\n  {}\n  licence: {}\n", set.name, set.folder, set.summary,
                        set.source, set.licence);
    for (const PublicFile& file : set.files) {
      text +=
          fmt::format("  {:<28} {:>13}  {}\n", file.name,
                      file.size < 0 ? std::string("size unknown") : fmt::format("{} B", file.size),
                      file.sha256.empty() ? std::string_view("no checksum known") : file.sha256);
    }
    text += "\n";
  }
  print_data(text);
}

Index count_of(const std::vector<FileCheck>& checks, FileState state) {
  return std::ranges::count(checks, state, &FileCheck::state);
}

void print_text(const std::vector<FileCheck>& checks) {
  std::string text;
  for (const FileCheck& check : checks) {
    text += fmt::format("{:<12}  {}{}{}\n", file_state_name(check.state), check.path,
                        check.detail.empty() ? "" : ": ", check.detail);
  }
  print_data(text);
}

void print_json(const std::string& folder, const std::vector<FileCheck>& checks) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const FileCheck& check : checks) {
    files.push_back({{"set", check.set},
                     {"path", check.path},
                     {"state", file_state_name(check.state)},
                     {"detail", check.detail}});
  }
  const nlohmann::ordered_json json{{"folder", folder},
                                    {"wrong", count_of(checks, FileState::wrong)},
                                    {"files", std::move(files)},
                                    {"version", STRUCTHASH_VERSION}};
  print_data(json_text(json));
}

void check_folder(const std::string& folder, const Session& session) {
  ProgressDisplay display(session.color);
  const std::vector<FileCheck> checks = check_public_sets(folder, display.callback());
  display.clear();
  if (session.json) {
    print_json(folder, checks);
  } else {
    print_text(checks);
  }
  if (const Index wrong = count_of(checks, FileState::wrong); wrong > 0) {
    flush_data();
    fail(Errc::bad_data,
         fmt::format("{}: {} of the files {} wrong; download again from the pages in "
                     "structhash data list",
                     folder, wrong, wrong == 1 ? "is" : "are"));
  }
}

}  // namespace

void add_data(CLI::App& app, Session& session) {
  const CommandGroup group(app, "data", "List public data sets and check their files",
                           "  structhash data list\n  structhash data check downloads/\n");
  Command list(group.commands(), "list", "List every public data set, its source and its files",
               "  structhash data list\n  structhash data list --json\n");
  add_output_options(list, session);
  list.action([&session] { list_sets(session); });

  Command check(group.commands(), "check",
                "Compare files with the sizes and checksums of the public data sets",
                "  structhash data check downloads/\n"
                "  structhash data check downloads/mnist --json\n");
  auto folder = std::make_shared<std::string>();
  check.positional({"folder", "DIR", "Folder that holds data sets, or one of them"}, *folder);
  add_output_options(check, session);
  check.action([folder, &session] { check_folder(*folder, session); });
}

}  // namespace structhash::cli
