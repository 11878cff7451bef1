#include "structhash/report/expected_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "core/text_file.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
T field(const Json& json, const char* name, const std::string& where) {
  const auto found = json.find(name);
  if (found == json.end()) {
    fail(Errc::bad_data, fmt::format("{}: \"{}\" is missing", where, name));
  }
  try {
    if (WholeNumbers<T>::only(*found)) {
      return found->template get<T>();
    }
  } catch (const Json::exception&) {  // NOLINT(bugprone-empty-catch): said below
  }
  fail(Errc::bad_data, fmt::format("{}: \"{}\" has a value of the wrong kind", where, name));
}

std::string as_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

ExpectedRow read_row(const Json& json, const std::string& source, const std::string& where) {
  if (!json.is_object()) {
    fail(Errc::bad_data, where + " must be an object");
  }
  ExpectedRow row{.source = source,
                  .table = json.contains("table") ? as_text(json["table"]) : "",
                  .dataset = field<std::string>(json, "dataset", where),
                  .method = field<std::string>(json, "method", where),
                  .bits = field<Index>(json, "bits", where),
                  .measures = field<std::map<std::string, double>>(json, "measures", where)};
  if (json.contains("distance")) {
    row.distance = field<std::string>(json, "distance", where);
  }
  constexpr std::array kOwnFields{"table", "dataset", "method", "bits", "measures", "distance"};
  for (const auto& [name, value] : json.items()) {
    if (std::ranges::find(kOwnFields, name) == kOwnFields.end()) {
      row.options[name] = as_text(value);
    }
  }
  return row;
}

}  // namespace

bool ExpectedRow::matches(const ResultRow& row, bool usual) const {
  const Json params = Json::parse(row.params);
  const auto has = [&](const auto& option) {
    const auto found = params.find(option.first);
    return found != params.end() && as_text(*found) == option.second;
  };
  return dataset == row.dataset && method == row.method && bits == row.bits &&
         (distance.empty() ? usual : distance == row.distance) && std::ranges::all_of(options, has);
}

std::vector<ExpectedRow> load_expected(const std::string& path) {
  const Json json = parse_json<Json>(read_text(path));
  if (json.is_discarded() || !json.is_object()) {
    fail(Errc::bad_data, path + ": is not a JSON object");
  }
  const auto source = field<std::string>(json, "source", path);
  std::vector<ExpectedRow> rows;
  for (const Json& entry : field<std::vector<Json>>(json, "rows", path)) {
    rows.push_back(
        read_row(entry, source, fmt::format("{}, entry {} of \"rows\"", path, rows.size() + 1)));
  }
  return rows;
}

}  // namespace structhash
