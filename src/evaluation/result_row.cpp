#include "structhash/evaluation/result_row.hpp"

#include "core/json_fields.hpp"

namespace structhash {

std::string shown_dataset(const ResultRow& row) {
  return row.database == "all" ? row.dataset : row.dataset + ", training rows left out";
}

std::string to_json(const ResultRow& row) {
  OrderedJson json{
      {"dataset", row.dataset}, {"method", row.method}, {"params", OrderedJson::parse(row.params)},
      {"bits", row.bits},       {"seed", row.seed},     {"distance", row.distance}};
  json["database"] = row.database;
  for (const auto& [name, value] : row.measures) {
    json[name] = value;
  }
  json["train_seconds"] = row.train_seconds;
  json["encode_seconds"] = row.encode_seconds;
  json["version"] = row.version;
  if (row.fixed_size) {
    json["fixed_size"] = true;
  }
  json["config_hash"] = row.config_hash;
  return json.dump();
}

ResultRow parse_row(std::string_view line) {
  const JsonFields fields = JsonFields::parse(line, "result row", Errc::corrupt_file);
  ResultRow row{.dataset = fields.text("dataset"),
                .method = fields.text("method"),
                .params = fields.object("params"),
                .bits = fields.get<Index>("bits"),
                .seed = fields.get<std::uint64_t>("seed"),
                .distance = fields.text("distance"),
                .database = fields.get_or<std::string>("database", "all"),
                .measures = {},
                .train_seconds = fields.get<double>("train_seconds"),
                .encode_seconds = fields.get<double>("encode_seconds"),
                .version = fields.text("version"),
                .fixed_size = fields.get_or<bool>("fixed_size", false),
                .config_hash = fields.text("config_hash")};
  for (const std::string& name : fields.rest()) {
    row.measures.emplace_back(name, fields.get<double>(name));
  }
  return row;
}

}  // namespace structhash
