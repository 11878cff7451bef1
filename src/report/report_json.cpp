#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "core/json_fields.hpp"
#include "report/report_data.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/core/error.hpp"
#include "structhash/ranking/measures.hpp"

namespace structhash {
namespace {

/// Six digits: more than anyone can see in a chart, and half the length.
double six_digits(double value) {
  const std::string text = fmt::format("{:.6g}", value);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

OrderedJson numbers(const std::vector<double>& values) {
  OrderedJson json = OrderedJson::array();
  for (const double value : values) {
    json.push_back(six_digits(value));
  }
  return json;
}

OrderedJson json_of(const ReportValue& value) {
  OrderedJson json{{"mean", six_digits(value.mean)}};
  if (value.spread) {
    json["spread"] = six_digits(*value.spread);
  }
  if (value.best) {
    json["best"] = true;
  }
  if (value.behind_best) {
    const PairedDifference& difference = *value.behind_best;
    OrderedJson& behind = json["behind_best"] = {{"mean", six_digits(difference.mean)},
                                                 {"queries", difference.queries},
                                                 {"seeds", difference.seeds},
                                                 {"undecided", difference.undecided()}};
    if (difference.margin) {
      behind["low"] = six_digits(difference.mean - *difference.margin);
      behind["high"] = six_digits(difference.mean + *difference.margin);
    }
  }
  if (value.published) {
    json["published"] = {{"value", value.published->value},
                         {"source", value.published->source},
                         {"table", value.published->table}};
  }
  return json;
}

/// Where a result belongs: the beginning of every entry below.
OrderedJson place_of(const ReportResult& result) {
  return {{"dataset", result.dataset}, {"series", result.series}, {"bits", result.bits}};
}

OrderedJson json_of(const ReportResult& result, const ReportData& data) {
  OrderedJson json = place_of(result);
  json["seeds"] = OrderedJson::array();
  for (const std::size_t r : result.rows) {
    json["seeds"].push_back(data.rows[r].row.seed);
  }
  json["train_seconds"] = six_digits(result.train_seconds);
  json["encode_seconds"] = six_digits(result.encode_seconds);
  json["measures"] = OrderedJson::object();
  for (const auto& [measure, value] : result.measures) {
    json["measures"][measure] = json_of(value);
  }
  return json;
}

using Numbers = std::vector<double> RowDetails::*;

/// The mean over seeds of a curve, for the seeds whose points lie where those of the first lie.
OrderedJson mean_curve(const ReportData& data, const ReportResult& result, Numbers at,
                       Numbers values) {
  std::vector<double> points;
  std::vector<double> sums;
  double count = 0.0;
  for (const std::size_t r : result.rows) {
    const auto& details = data.rows[r].details;
    if (!details || ((*details).*at).empty()) {
      continue;
    }
    if (points.empty()) {
      points = (*details).*at;
      sums.assign(points.size(), 0.0);
    }
    if ((*details).*at == points) {
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += ((*details).*values)[i];
      }
      count += 1.0;
    }
  }
  for (double& sum : sums) {
    sum /= count;
  }
  return {{"x", numbers(points)}, {"y", numbers(sums)}};
}

OrderedJson curves_of(const ReportData& data) {
  OrderedJson all = OrderedJson::array();
  for (const ReportResult& result : data.results) {
    OrderedJson json = place_of(result);
    json["recall"] = mean_curve(data, result, &RowDetails::recall, &RowDetails::precision);
    json["rank"] = mean_curve(data, result, &RowDetails::ranks, &RowDetails::precision_at_rank);
    if (!json["recall"]["x"].empty() || !json["rank"]["x"].empty()) {
      all.push_back(std::move(json));
    }
  }
  return all;
}

/// The row of the first seed whose details are `wanted`.
template <typename Wanted>
const DetailedRow* first_with(const ReportData& data, const ReportResult& result,
                              const Wanted& wanted) {
  for (const std::size_t r : result.rows) {
    if (data.rows[r].details && wanted(*data.rows[r].details)) {
      return &data.rows[r];
    }
  }
  return nullptr;
}

OrderedJson training_of(const ReportData& data) {
  OrderedJson all = OrderedJson::array();
  for (const ReportResult& result : data.results) {
    const DetailedRow* row = first_with(data, result, [](const RowDetails& details) {
      return !details.objective.empty() || !details.bit_weights.empty();
    });
    if (row != nullptr && data.series[result.series].usual) {
      OrderedJson json = place_of(result);
      json["seed"] = row->row.seed;
      json["objective"] = numbers(row->details->objective);
      json["bit_weights"] = numbers(row->details->bit_weights);
      all.push_back(std::move(json));
    }
  }
  return all;
}

/// Pictures or texts once each: the strips of many methods show the same items.
class Numbered {
 public:
  std::size_t number(const std::string& item) {
    const auto [found, added] = numbers_.emplace(item, list_.size());
    if (added) {
      list_.push_back(item);
    }
    return found->second;
  }
  const OrderedJson& list() const { return list_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  OrderedJson list_ = OrderedJson::array();
};

struct Shown {
  Numbered images;
  Numbered texts;
};

/// The text if there is one, and the image if there is one or neither.
OrderedJson json_of(const std::string& image, const std::string& text, Shown& shown) {
  OrderedJson json = OrderedJson::object();
  if (!image.empty() || text.empty()) {
    json["image"] = shown.images.number(image);
  }
  if (!text.empty()) {
    json["text"] = shown.texts.number(text);
  }
  return json;
}

OrderedJson strips_of(const ReportData& data, Shown& shown) {
  OrderedJson all = OrderedJson::array();
  for (const ReportResult& result : data.results) {
    const DetailedRow* row =
        first_with(data, result, [](const RowDetails& details) { return !details.strips.empty(); });
    if (row == nullptr) {
      continue;
    }
    OrderedJson json = place_of(result);
    json["seed"] = row->row.seed;
    json["queries"] = OrderedJson::array();
    for (const Strip& strip : row->details->strips) {
      OrderedJson items = OrderedJson::array();
      for (const StripItem& item : strip.items) {
        items.push_back(json_of(item.image, item.text, shown));
        items.back()["relevant"] = item.relevant;
        items.back()["label"] = item.label;
      }
      json["queries"].push_back(json_of(strip.query_image, strip.query_text, shown));
      json["queries"].back()["label"] = strip.query_label;
      json["queries"].back()["items"] = std::move(items);
    }
    all.push_back(std::move(json));
  }
  return all;
}

OrderedJson series_of(const ReportData& data) {
  OrderedJson all = OrderedJson::array();
  for (const ReportSeries& series : data.series) {
    OrderedJson json{{"label", series.label},
                     {"method", series.method},
                     {"params", OrderedJson::parse(series.params)},
                     {"distance", series.distance},
                     {"usual", series.usual}};
    if (series.fixed_size) {
      json["fixed_size"] = true;
    }
    const auto entry = std::ranges::find(methods(), series.method, &MethodEntry::name);
    if (entry != methods().end()) {
      json["summary"] = entry->summary;
      json["reference"] = entry->reference;
    }
    all.push_back(std::move(json));
  }
  return all;
}

/// What a measure is, in words; nothing for one that this version does not know.
std::string_view summary_of(const std::string& measure) {
  const std::string name = measure.substr(0, measure.find('@'));
  const auto found = std::ranges::find(measures(), name, &MeasureEntry::name);
  return found == measures().end() ? "" : found->summary;
}

OrderedJson facts_of(const ReportData& data) {
  std::set<std::string> versions;
  std::set<std::uint64_t> seeds;
  for (const DetailedRow& row : data.rows) {
    versions.insert(row.row.version);
    seeds.insert(row.row.seed);
  }
  OrderedJson facts = OrderedJson::array();
  const auto add = [&](const std::string& name, const std::string& text) {
    facts.push_back({{"name", name}, {"text", text}});
  };
  add("Version", fmt::format("structhash {}", fmt::join(versions, ", ")));
  add("Data sets", fmt::format("{}", fmt::join(data.datasets, ", ")));
  add("Bits", fmt::format("{}", fmt::join(data.bits, ", ")));
  add("Seeds", fmt::format("{}", fmt::join(seeds, ", ")));
  add("Result rows", fmt::to_string(data.rows.size()));
  for (const auto& [name, text] : data.notes.facts) {
    add(name, text);
  }
  return facts;
}

}  // namespace

std::string to_json(const ReportData& data) {
  OrderedJson json{{"title", data.notes.title}, {"facts", facts_of(data)}};
  json["measures"] = OrderedJson::array();
  for (const std::string& measure : data.measures) {
    json["measures"].push_back({{"name", measure}, {"summary", summary_of(measure)}});
  }
  json["datasets"] = data.datasets;
  json["bits"] = data.bits;
  json["series"] = series_of(data);
  json["results"] = OrderedJson::array();
  for (const ReportResult& result : data.results) {
    json["results"].push_back(json_of(result, data));
  }
  json["curves"] = curves_of(data);
  json["training"] = training_of(data);
  Shown shown;
  json["strips"] = strips_of(data, shown);
  json["images"] = shown.images.list();
  json["texts"] = shown.texts.list();
  return json.dump();
}

}  // namespace structhash
