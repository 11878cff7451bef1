#include <nlohmann/json.hpp>

#include "structhash/core/error.hpp"
#include "structhash/evaluation/experiment.hpp"

namespace structhash {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string to_json(const ResultRow& row) {
  Json json{{"dataset", row.dataset}, {"method", row.method}, {"params", Json::parse(row.params)},
            {"bits", row.bits},       {"seed", row.seed},     {"distance", row.distance}};
  for (const auto& [name, value] : row.measures) {
    json[name] = value;
  }
  json["train_seconds"] = row.train_seconds;
  json["encode_seconds"] = row.encode_seconds;
  json["version"] = row.version;
  json["config_hash"] = row.config_hash;
  return json.dump();
}

ResultRow parse_row(std::string_view line) {
  try {
    Json json = Json::parse(line);
    ResultRow row;
    const auto take = [&]<typename T>(const char* name, T& value) {
      value = json.at(name).get<T>();
      json.erase(name);
    };
    row.params = json.at("params").dump();
    json.erase("params");
    take("dataset", row.dataset);
    take("method", row.method);
    take("bits", row.bits);
    take("seed", row.seed);
    take("distance", row.distance);
    take("train_seconds", row.train_seconds);
    take("encode_seconds", row.encode_seconds);
    take("version", row.version);
    take("config_hash", row.config_hash);
    for (const auto& [name, value] : json.items()) {
      row.measures.emplace_back(name, value.get<double>());
    }
    return row;
  } catch (const Json::exception& error) {
    fail(Errc::corrupt_file, std::string("a result row cannot be read: ") + error.what());
  }
}

/// Mean over the rows an expectation matches, one verdict per measure it names.
std::vector<Verdict> judge(const Experiment& experiment, std::span<const ResultRow> rows) {
  const auto matches = [](const Expectation& expectation, const ResultRow& row) {
    const Json params = Json::parse(row.params);
    const auto has = [&](const auto& option) {
      const auto found = params.find(option.first);
      return found != params.end() && (found->is_string() ? found->template get<std::string>()
                                                          : found->dump()) == option.second;
    };
    return (expectation.dataset.empty() || expectation.dataset == row.dataset) &&
           (expectation.method.empty() || expectation.method == row.method) &&
           (expectation.bits == 0 || expectation.bits == row.bits) &&
           expectation.distance == row.distance && std::ranges::all_of(expectation.options, has);
  };
  std::vector<Verdict> verdicts;
  for (const Expectation& expectation : experiment.expectations) {
    for (const auto& [measure, wanted] : expectation.at_least) {
      Verdict verdict{.expectation = &expectation, .measure = measure, .wanted = wanted};
      for (const ResultRow& row : rows) {
        const auto value =
            std::ranges::find(row.measures, measure, &std::pair<std::string, double>::first);
        if (value != row.measures.end() && matches(expectation, row)) {
          verdict.reached += value->second;
          ++verdict.seeds;
        }
      }
      verdict.reached = verdict.seeds > 0 ? verdict.reached / real(verdict.seeds) : 0.0;
      verdicts.push_back(verdict);
    }
  }
  return verdicts;
}

}  // namespace structhash
