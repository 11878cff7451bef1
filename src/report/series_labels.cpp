#include "report/series_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/json_fields.hpp"

namespace structhash {
namespace {

/// Names of the parameters that are not the same in all series of the method.
std::set<std::string> differing_parameters(std::span<const ReportSeries> series,
                                           const std::string& method) {
  std::vector<OrderedJson> all;
  std::set<std::string> names;
  for (const ReportSeries& one : series) {
    if (one.method == method) {
      all.push_back(OrderedJson::parse(one.params));
      for (const auto& [name, value] : all.back().items()) {
        names.insert(name);
      }
    }
  }
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::all_of(all, [&](const OrderedJson& params) {
      return params.contains(name) && params[name] == all.front()[name];
    });
  });
  return names;
}

/// "kernel" for a word, "train 20000" for a number: a number alone says nothing.
std::vector<std::string> parameter_words(const ReportSeries& one,
                                         const std::set<std::string>& names) {
  std::vector<std::string> words;
  const OrderedJson params = OrderedJson::parse(one.params);
  for (const auto& [name, value] : params.items()) {
    if (names.contains(name)) {
      words.push_back(value.is_string() ? value.get<std::string>()
                                        : fmt::format("{} {}", name, value.dump()));
    }
  }
  return words;
}

/// Weighted Hamming distance before plain; a distance of the method's own is an extra.
bool is_usual(const ReportSeries& one, std::span<const ReportSeries> series) {
  const auto has = [&](const char* distance) {
    return std::ranges::any_of(series, [&](const ReportSeries& other) {
      return other.method == one.method && other.params == one.params && other.distance == distance;
    });
  };
  if (has("weighted")) {
    return one.distance == "weighted";
  }
  return !has("hamming") || one.distance == "hamming";
}

}  // namespace

void label_series(std::span<ReportSeries> series) {
  std::map<std::string, int> uses;
  for (ReportSeries& one : series) {
    one.usual = is_usual(one, series);
    std::vector<std::string> words = parameter_words(one, differing_parameters(series, one.method));
    if (!one.usual) {
      words.push_back(one.distance == "hamming" ? "plain Hamming" : one.distance + " distance");
    }
    one.label =
        words.empty() ? one.method : fmt::format("{} ({})", one.method, fmt::join(words, ", "));
    // Parameters may differ in what the words leave out, such as their names: a label is still one
    // series.
    if (const int use = ++uses[one.label]; use > 1) {
      one.label += fmt::format(" #{}", use);
    }
  }
}

}  // namespace structhash
