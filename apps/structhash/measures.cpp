#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "session.hpp"
#include "structhash/ranking/measures.hpp"

namespace structhash::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Name and summary of each measure, as users write it to train for it or to evaluate by it.
std::vector<NamedLine> training_lines() {
  std::vector<NamedLine> lines;
  for (const MeasureEntry& measure : measures()) {
    if (measure.gains != nullptr) {
      lines.push_back({training_spelling(measure), std::string(measure.summary)});
    }
  }
  return lines;
}

std::vector<NamedLine> evaluation_lines() {
  std::vector<NamedLine> lines;
  for (const MeasureEntry& measure : measures()) {
    lines.push_back({spelling(measure), std::string(measure.summary)});
  }
  return lines;
}

Json as_json(const std::vector<NamedLine>& lines) {
  Json entries = Json::array();
  for (const NamedLine& line : lines) {
    entries.push_back({{"name", line.name.substr(0, line.name.find_first_of("[@"))},
                       {"spelling", line.name},
                       {"summary", line.text}});
  }
  return entries;
}

void print_measures(const Session& session) {
  if (session.json) {
    const Json both{{"train", as_json(training_lines())},
                    {"evaluate", as_json(evaluation_lines())}};
    print_data(json_text(both));
    return;
  }
  print_data("To train for (train --measure NAME):\n" + list_text(training_lines()) +
             "\nTo evaluate by (evaluate --measures NAME,NAME,...):\n" +
             list_text(evaluation_lines()));
}

}  // namespace

void add_measures(CLI::App& app, Session& session) {
  Command command(app, "measures", "List the ranking measures, one line each",
                  "  structhash measures\n  structhash measures --json\n");
  add_output_options(command, session);
  command.action([&session] { print_measures(session); });
}

}  // namespace structhash::cli
