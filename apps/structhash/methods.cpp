#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "method_text.hpp"
#include "session.hpp"

namespace structhash::cli {
namespace {

using Json = nlohmann::ordered_json;

Json options_json(const MethodEntry& method) {
  Json options = Json::array();
  for (const OptionInfo& option : method.options()) {
    options.push_back({{"name", option.name},
                       {"type", option.type},
                       {"default", option.default_value},  // as text, "auto" among them
                       {"allowed", option.allowed},
                       {"choices", option.choices},
                       {"functions", option.functions},
                       {"presets", option.presets},
                       {"help", option.help}});
  }
  return options;
}

Json method_json(const MethodEntry& method) {
  const std::vector<std::string> distances = distances_of(method);
  return {{"name", method.name},
          {"summary", method.summary},
          {"reference", method.reference},
          {"supervision", supervision_name(method.supervision)},
          {"multi_labels", method.multi_labels},
          {"distance", distances.front()},
          {"distances", distances},
          {"checkpoints", method.checkpoints},
          {"nested", method.nested},
          {"shards", std::vector(method.shard_functions.begin(), method.shard_functions.end())},
          {"options", options_json(method)}};
}

Json all_json() {
  Json json = Json::array();
  for (const MethodEntry& method : methods()) {
    json.push_back(method_json(method));
  }
  return json;
}

std::string method_list() {
  std::vector<NamedLine> lines;
  for (const MethodEntry& method : methods()) {
    lines.push_back({std::string(method.name),
                     fmt::format("{:<7}  {:<17}  {} ({})", supervision_name(method.supervision),
                                 fmt::to_string(fmt::join(distances_of(method), ", ")),
                                 method.summary, method.reference)});
  }
  return fmt::format(
      "Methods for train --method NAME: the supervision each needs, the distances that compare "
      "its\n"
      "codes, what it does.  structhash methods NAME lists the options of one.\n\n{}",
      list_text(lines));
}

void print_methods(const std::string& name, const Session& session) {
  if (session.json) {
    print_data(json_text(name.empty() ? all_json() : method_json(find_method(name))));
  } else {
    print_data(name.empty() ? method_list() : method_page(find_method(name)));
  }
}

}  // namespace

void add_methods(CLI::App& app, Session& session) {
  Command command(app, "methods", "List the methods, or the options of one",
                  "  structhash methods\n  structhash methods itq\n  structhash methods --json\n");
  auto name = std::make_shared<std::string>();
  command.text({"NAME", "", "Method whose options to list"}, *name);
  add_output_options(command, session);
  command.action([name, &session] { print_methods(*name, session); });
}

}  // namespace structhash::cli
