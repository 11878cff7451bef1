#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "session.hpp"
#include "structhash/baselines/methods.hpp"

namespace structhash::cli {
namespace {

std::string_view supervision_name(Supervision supervision) {
  switch (supervision) {
    case Supervision::none:
      return "none";
    case Supervision::labels:
      return "labels";
    case Supervision::lists:
      return "lists";
  }
  return "none";
}

std::vector<std::string> distances_of(const MethodEntry& method) {
  std::vector<std::string> names;
  if (method.distance == Distance::weighted) {
    names.emplace_back("weighted");
  }
  names.emplace_back("hamming");
  if (!method.own_distance.empty()) {
    names.emplace_back(method.own_distance);
  }
  return names;
}

void run(const Session& session) {
  if (session.json) {
    nlohmann::ordered_json methods = nlohmann::ordered_json::array();
    for (const MethodEntry& method : structhash::methods()) {
      methods.push_back({{"name", method.name},
                         {"summary", method.summary},
                         {"reference", method.reference},
                         {"supervision", supervision_name(method.supervision)},
                         {"distance", distances_of(method).front()},
                         {"distances", distances_of(method)}});
    }
    print_data(methods.dump(2) + "\n");
    return;
  }
  std::vector<NamedLine> lines;
  lines.reserve(methods().size());
  for (const MethodEntry& method : structhash::methods()) {
    lines.push_back({std::string(method.name),
                     fmt::format("{:<7}  {:<17}  {} ({})", supervision_name(method.supervision),
                                 fmt::to_string(fmt::join(distances_of(method), ", ")),
                                 method.summary, method.reference)});
  }
  print_data(fmt::format(
      "To learn with (train --method NAME): what each learns from besides the features, the\n"
      "distances its codes are compared by, what it does.\n\n{}",
      list_text(lines)));
}

}  // namespace

void add_methods(CLI::App& app, Session& session) {
  Command command(app, "methods", "List the methods, one line each",
                  "  structhash methods\n  structhash methods --json\n");
  add_output_options(command, session);
  command.action([&session] { run(session); });
}

}  // namespace structhash::cli
