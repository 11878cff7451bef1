#include "structhash/evaluation/result_row.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
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
    if (!json_is_shallow(line)) {
      fail(Errc::corrupt_file, "a result row is nested too deep");
    }
    Json json = Json::parse(line);
    ResultRow row;
    const auto take = [&](const char* name, auto& value) {
      using T = std::remove_reference_t<decltype(value)>;
      if (!WholeNumbers<T>::only(json.at(name))) {
        fail(Errc::corrupt_file, fmt::format("'{}' of a result row is not a whole number", name));
      }
      value = json.at(name).get<T>();
      json.erase(name);
    };
    if (!json.at("params").is_object()) {
      fail(Errc::corrupt_file, "'params' of a result row is not a JSON object");
    }
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
