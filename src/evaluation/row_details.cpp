#include "structhash/evaluation/row_details.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/atomic_file.hpp"
#include "core/json_text.hpp"
#include "core/text_file.hpp"
#include "structhash/core/error.hpp"
#include "structhash/evaluation/experiment.hpp"

namespace structhash {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// One object of the file.  Every field must be there, of the right kind, and no other.
class RowFields {
 public:
  RowFields(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) {
      wrong("must be an object");
    }
  }

  const Json& field(const char* name) {
    seen_.insert(name);
    const auto found = json_.find(name);
    if (found == json_.end()) {
      wrong(fmt::format("\"{}\" is missing", name));
    }
    return *found;
  }

  const Json& list(const char* name) {
    const Json& json = field(name);
    if (!json.is_array()) {
      wrong(fmt::format("\"{}\" must be a list", name));
    }
    return json;
  }

  std::string text(const char* name) {
    const Json& json = field(name);
    if (!json.is_string()) {
      wrong(fmt::format("\"{}\" must be a text", name));
    }
    return json.get<std::string>();
  }

  bool flag(const char* name) {
    const Json& json = field(name);
    if (!json.is_boolean()) {
      wrong(fmt::format("\"{}\" must be true or false", name));
    }
    return json.get<bool>();
  }

  std::vector<double> numbers(const char* name) {
    std::vector<double> values;
    for (const Json& json : list(name)) {
      if (!json.is_number() || !std::isfinite(json.get<double>())) {
        wrong(fmt::format("\"{}\" must hold numbers, entry {} is {}", name, values.size() + 1,
                          json.dump()));
      }
      values.push_back(json.get<double>());
    }
    return values;
  }

  void finish() const {
    for (const auto& [name, value] : json_.items()) {
      if (!seen_.contains(name)) {
        wrong(fmt::format("\"{}\" is not a field of it", name));
      }
    }
  }

  [[noreturn]] void wrong(const std::string& what) const {
    fail(Errc::bad_data, fmt::format("{}: {}", where_, what));
  }

 private:
  const Json& json_;
  std::string where_;
  std::set<std::string, std::less<>> seen_;
};

/// The double that is written as short as the float: 0.1, not 0.10000000149011612.
double short_double(float value) {
  const std::string text = fmt::format("{}", value);
  double parsed = value;
  std::from_chars(text.data(), text.data() + text.size(), parsed);
  return parsed;
}

Json json_of(const Strip& strip) {
  Json items = Json::array();
  for (const StripItem& item : strip.items) {
    items.push_back({{"image", item.image}, {"relevant", item.relevant}, {"label", item.label}});
  }
  return {{"query_image", strip.query_image}, {"query_label", strip.query_label}, {"items", items}};
}

Json json_of(const std::vector<float>& values) {
  Json json = Json::array();
  for (const float value : values) {
    json.push_back(std::isnan(value) ? Json(nullptr) : Json(short_double(value)));
  }
  return json;
}

Strip parse_strip(const Json& json, const std::string& where) {
  RowFields fields(json, where + ", a strip");
  Strip strip{.query_image = fields.text("query_image"), .query_label = fields.text("query_label")};
  for (const Json& entry : fields.list("items")) {
    RowFields item(entry, where + ", an item of a strip");
    strip.items.push_back({.image = item.text("image"),
                           .relevant = item.flag("relevant"),
                           .label = item.text("label")});
    item.finish();
  }
  fields.finish();
  return strip;
}

std::vector<float> parse_per_query(const RowFields& fields, const Json& json,
                                   const std::string& measure) {
  if (!json.is_array()) {
    fields.wrong(fmt::format("\"per_query\": \"{}\" must be a list", measure));
  }
  std::vector<float> values;
  for (const Json& value : json) {
    const bool fits = value.is_number() && std::isfinite(value.get<float>());
    if (!fits && !value.is_null()) {
      fields.wrong(fmt::format("\"per_query\": \"{}\" must hold numbers or null, entry {} is {}",
                               measure, values.size() + 1, value.dump()));
    }
    values.push_back(value.is_null() ? std::numeric_limits<float>::quiet_NaN()
                                     : value.get<float>());
  }
  return values;
}

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

void check(const RowDetails& details) {
  require(details.recall.size() == details.precision.size(),
          "details need one precision per recall level");
  require(details.ranks.size() == details.precision_at_rank.size(),
          "details need one precision per rank");
  for (const auto* values :
       {&details.recall, &details.precision, &details.ranks, &details.precision_at_rank,
        &details.objective, &details.bit_weights}) {
    require(all_finite(*values), "details must be finite numbers");
  }
  for (const auto& [measure, values] : details.per_query) {
    require(std::ranges::none_of(values, [](float value) { return std::isinf(value); }),
            "details of " + measure + " must be finite numbers, or NaN for no value");
  }
}

}  // namespace

std::string to_json(const RowDetails& details) {
  check(details);
  Json strips = Json::array();
  for (const Strip& strip : details.strips) {
    strips.push_back(json_of(strip));
  }
  Json per_query = Json::object();
  for (const auto& [measure, values] : details.per_query) {
    per_query[measure] = json_of(values);
  }
  return Json{{"recall", details.recall},       {"precision", details.precision},
              {"ranks", details.ranks},         {"precision_at_rank", details.precision_at_rank},
              {"objective", details.objective}, {"bit_weights", details.bit_weights},
              {"strips", std::move(strips)},    {"per_query", std::move(per_query)}}
      .dump();
}

RowDetails parse_details(const std::string& text, const std::string& name) {
  const Json json = parse_json<Json>(text);
  if (json.is_discarded()) {
    fail(Errc::bad_data, name + ": is not valid JSON");
  }
  RowFields fields(json, name);
  RowDetails details{.recall = fields.numbers("recall"),
                     .precision = fields.numbers("precision"),
                     .ranks = fields.numbers("ranks"),
                     .precision_at_rank = fields.numbers("precision_at_rank"),
                     .objective = fields.numbers("objective"),
                     .bit_weights = fields.numbers("bit_weights")};
  if (details.recall.size() != details.precision.size()) {
    fields.wrong("\"precision\" must be as long as \"recall\"");
  }
  if (details.ranks.size() != details.precision_at_rank.size()) {
    fields.wrong("\"precision_at_rank\" must be as long as \"ranks\"");
  }
  for (const Json& strip : fields.list("strips")) {
    details.strips.push_back(parse_strip(strip, name));
  }
  const Json& per_query = fields.field("per_query");
  if (!per_query.is_object()) {
    fields.wrong("\"per_query\" must be an object");
  }
  for (const auto& [measure, values] : per_query.items()) {
    details.per_query[measure] = parse_per_query(fields, values, measure);
  }
  fields.finish();
  return details;
}

std::string details_path(const std::string& results_path, const ResultRow& row) {
  // The names come from a file: none of them may lead out of the folder.
  if (row.config_hash.find('/') != std::string::npos ||
      row.distance.find('/') != std::string::npos) {
    fail(Errc::bad_data, fmt::format("{}: '{}-{}' of a row cannot be a file name", results_path,
                                     row.config_hash, row.distance));
  }
  const fs::path folder = fs::path(results_path).replace_extension(".details");
  return (folder / fmt::format("{}-{}.json", row.config_hash, row.distance)).string();
}

void save_details(const std::string& path, const RowDetails& details) {
  const std::string text = to_json(details);
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::create_directories(folder, error) && error) {
    fail(Errc::io, fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  }
  AtomicFile file(path);
  file.write(text);
  file.write("\n");
  file.commit();
}

std::optional<RowDetails> load_details(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    return std::nullopt;
  }
  return parse_details(read_text(path), path);
}

}  // namespace structhash
