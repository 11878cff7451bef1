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

void run(const Session& session) {
  if (session.json) {
    nlohmann::ordered_json methods = nlohmann::ordered_json::array();
    for (const MethodEntry& method : kMethods) {
      methods.push_back(
          {{"name", method.name},
           {"summary", method.summary},
           {"reference", method.reference},
           {"supervision", supervision_name(method.supervision)},
           {"distance", method.distance == Distance::weighted ? "weighted" : "hamming"}});
    }
    print_data(methods.dump(2) + "\n");
    return;
  }
  std::vector<NamedLine> lines;
  for (const MethodEntry& method : kMethods) {
    lines.push_back({std::string(method.name),
                     std::string(method.summary) + " (" + std::string(method.reference) + ")"});
  }
  print_data("To learn with (train --method NAME):\n" + list_text(lines));
}

}  // namespace

void add_methods(CLI::App& app, Session& session) {
  Command command(app, "methods", "List the methods, one line each",
                  "  structhash methods\n  structhash methods --json\n");
  add_output_options(command, session);
  command.action([&session] { run(session); });
}

}  // namespace structhash::cli
