#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "core/json_fields.hpp"
#include "core/text_file.hpp"
#include "structhash/core/error.hpp"
#include "structhash/evaluation/result_row.hpp"

namespace structhash {
namespace {

namespace fs = std::filesystem;

/// The double with the shortest text of the float: 0.1, not 0.10000000149011612.
double short_double(float value) {
  const std::string text = fmt::format("{}", value);
  double parsed = value;
  std::from_chars(text.data(), text.data() + text.size(), parsed);
  return parsed;
}

OrderedJson json_of(const Strip& strip) {
  OrderedJson items = OrderedJson::array();
  for (const StripItem& item : strip.items) {
    items.push_back({{"image", item.image}, {"relevant", item.relevant}, {"label", item.label}});
    if (!item.text.empty()) {
      items.back()["text"] = item.text;
    }
  }
  OrderedJson json{{"query_image", strip.query_image}, {"query_label", strip.query_label}};
  if (!strip.query_text.empty()) {
    json["query_text"] = strip.query_text;
  }
  json["items"] = std::move(items);
  return json;
}

OrderedJson json_of(const std::vector<float>& values) {
  OrderedJson json = OrderedJson::array();
  for (const float value : values) {
    json.push_back(std::isnan(value) ? OrderedJson(nullptr) : OrderedJson(short_double(value)));
  }
  return json;
}

Strip parse_strip(const JsonFields& fields) {
  Strip strip{.query_image = fields.text("query_image"),
              .query_label = fields.text("query_label"),
              .query_text = fields.get_or<std::string>("query_text", "")};
  for (const JsonFields& item : fields.list("items")) {
    strip.items.push_back({.image = item.text("image"),
                           .relevant = item.get<bool>("relevant"),
                           .label = item.text("label"),
                           .text = item.get_or<std::string>("text", "")});
    item.finish();
  }
  fields.finish();
  return strip;
}

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

void check_details(const RowDetails& details) {
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
  check_details(details);
  OrderedJson strips = OrderedJson::array();
  for (const Strip& strip : details.strips) {
    strips.push_back(json_of(strip));
  }
  OrderedJson per_query = OrderedJson::object();
  for (const auto& [measure, values] : details.per_query) {
    per_query[measure] = json_of(values);
  }
  return OrderedJson{
      {"recall", details.recall},       {"precision", details.precision},
      {"ranks", details.ranks},         {"precision_at_rank", details.precision_at_rank},
      {"objective", details.objective}, {"bit_weights", details.bit_weights},
      {"strips", std::move(strips)},    {"per_query", std::move(per_query)}}
      .dump();
}

RowDetails parse_details(const std::string& text, const std::string& name) {
  const JsonFields fields = JsonFields::parse(text, name, Errc::bad_data);
  const auto numbers = [&](const char* field) { return fields.get<std::vector<double>>(field); };
  RowDetails details{.recall = numbers("recall"),
                     .precision = numbers("precision"),
                     .ranks = numbers("ranks"),
                     .precision_at_rank = numbers("precision_at_rank"),
                     .objective = numbers("objective"),
                     .bit_weights = numbers("bit_weights")};
  if (details.recall.size() != details.precision.size()) {
    fields.fail("\"precision\" must be as long as \"recall\"");
  }
  if (details.ranks.size() != details.precision_at_rank.size()) {
    fields.fail("\"precision_at_rank\" must be as long as \"ranks\"");
  }
  for (const JsonFields& strip : fields.list("strips")) {
    details.strips.push_back(parse_strip(strip));
  }
  details.per_query = fields.get<std::map<std::string, std::vector<float>>>("per_query");
  fields.finish();
  return details;
}

std::string details_path(const std::string& results_path, const ResultRow& row) {
  // The names come from a file: none of them may leave the folder.
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
    fail(Errc::io,
         fmt::format("cannot create the folder {}: {}", folder.string(), error.message()));
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
