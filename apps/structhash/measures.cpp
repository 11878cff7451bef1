#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "session.hpp"
#include "structhash/evaluation/measures.hpp"
#include "structhash/ranking/measures.hpp"

namespace structhash::cli {
namespace {

std::string spelling(const MeasureEntry& measure) {
  return std::string(measure.name) + (measure.takes_cutoff ? "@K" : "");
}

std::string spelling(const EvaluationMeasure& measure) {
  switch (measure.cutoff) {
    case CutOff::none:
      return std::string(measure.name);
    case CutOff::optional:
      return std::string(measure.name) + "[@K]";
    case CutOff::rank:
      return std::string(measure.name) + "@K";
    case CutOff::radius:
      return std::string(measure.name) + "@R";
  }
  return std::string(measure.name);
}

template <typename Table>
nlohmann::ordered_json as_json(const Table& table) {
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const auto& measure : table) {
    entries.push_back(
        {{"name", measure.name}, {"spelling", spelling(measure)}, {"summary", measure.summary}});
  }
  return entries;
}

template <typename Table>
std::string as_text(const std::string& heading, const Table& table) {
  std::vector<NamedLine> lines;
  lines.reserve(table.size());
  for (const auto& measure : table) {
    lines.push_back({spelling(measure), std::string(measure.summary)});
  }
  return heading + "\n" + list_text(lines);
}

void print_measures(const Session& session) {
  if (session.json) {
    const nlohmann::ordered_json both{{"train", as_json(kMeasures)},
                                      {"evaluate", as_json(kEvaluationMeasures)}};
    print_data(both.dump(2) + "\n");
    return;
  }
  print_data(as_text("To train for (train --measure NAME):", kMeasures) + "\n" +
             as_text("To judge by (evaluate --measures NAME,NAME,...):", kEvaluationMeasures));
}

}  // namespace

void add_measures(CLI::App& app, Session& session) {
  Command command(app, "measures", "List the ranking measures, one line each",
                  "  structhash measures\n  structhash measures --json\n");
  add_output_options(command, session);
  command.action([&session] { print_measures(session); });
}

}  // namespace structhash::cli
