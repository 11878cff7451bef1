#include "structhash/evaluation/result_row.hpp"

#include <nlohmann/json.hpp>

#include "structhash/core/error.hpp"

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

}  // namespace structhash
