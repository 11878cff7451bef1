#include "experiment_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "structhash/core/version.hpp"
#include "terminal.hpp"

namespace structhash::cli {
namespace {

/// Rows that differ by their seed alone.
struct Group {
  std::vector<std::string> key;
  std::map<std::string, double> sums{};
  double seconds = 0.0;
  Index seeds = 0;
  bool stale = false;
};

std::vector<Group> grouped(std::span<const ResultRow> rows) {
  std::vector<Group> groups;
  for (const ResultRow& row : rows) {
    std::vector<std::string> key{shown_dataset(row), row.method, row.params,
                                 fmt::to_string(row.bits), row.distance};
    auto found = std::ranges::find(groups, key, &Group::key);
    if (found == groups.end()) {
      groups.push_back({.key = std::move(key)});
      found = std::prev(groups.end());
    }
    for (const auto& [name, value] : row.measures) {
      found->sums[name] += value;
    }
    found->seconds += row.train_seconds;
    found->stale = found->stale || row.version != code_version();
    ++found->seeds;
  }
  return groups;
}

/// "usps structhash map weighted".
std::string pattern_text(const RowPattern& rows) {
  std::string what = rows.dataset;
  if (!rows.method.empty()) {
    what += " " + rows.method;
  }
  for (const auto& [name, value] : rows.options) {
    what += fmt::format(" {}", value);
  }
  return what + " " + rows.distance;
}

}  // namespace

std::string cell_text(const ExperimentCell& cell) {
  return fmt::format("{}, {}{}, {} bits, seed {}", cell.dataset->name, cell.method->method,
                     cell.method->params == "{}" ? "" : " " + cell.method->params, cell.bits,
                     cell.seed);
}

std::vector<std::string> finished_lines(const ExperimentCell& cell,
                                        std::span<const DetailedRow> rows) {
  std::vector<std::string> lines;
  for (const DetailedRow& entry : rows) {
    std::string line = fmt::format("{}, {}:", cell_text(cell), entry.row.distance);
    for (const auto& [name, value] : entry.row.measures) {
      line += fmt::format("  {} {:.4f}", name, value);
    }
    lines.push_back(line + fmt::format("  trained in {:.1f} s", entry.row.train_seconds));
  }
  return lines;
}

std::string summary_text(const Experiment& experiment, std::span<const ResultRow> rows,
                         bool color) {
  std::vector<std::vector<std::string>> table{
      {"data set", "method", "parameters", "bits", "distance", "seeds"}};
  table[0].insert(table[0].end(), experiment.measures.begin(), experiment.measures.end());
  table[0].emplace_back("train s");
  for (const Group& group : grouped(rows)) {
    std::vector<std::string> line = group.key;
    line.push_back(fmt::format("{}{}", group.seeds, group.stale ? "*" : ""));
    for (const std::string& measure : experiment.measures) {
      const auto sum = group.sums.find(measure);
      line.push_back(sum == group.sums.end()
                         ? "-"
                         : fmt::format("{:.4f}", sum->second / to_double(group.seeds)));
    }
    line.push_back(fmt::format("{:.1f}", group.seconds / to_double(group.seeds)));
    table.push_back(std::move(line));
  }
  return table_text(table, color);
}

nlohmann::ordered_json summary_json(std::span<const ResultRow> rows) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Group& group : grouped(rows)) {
    nlohmann::ordered_json measures = nlohmann::ordered_json::object();
    for (const auto& [name, sum] : group.sums) {
      measures[name] = sum / to_double(group.seeds);
    }
    json.push_back({{"dataset", group.key[0]},
                    {"method", group.key[1]},
                    {"params", nlohmann::ordered_json::parse(group.key[2])},
                    {"bits", std::stoll(group.key[3])},
                    {"distance", group.key[4]},
                    {"seeds", group.seeds},
                    {"stale", group.stale},
                    {"measures", measures},
                    {"train_seconds", group.seconds / to_double(group.seeds)}});
  }
  return json;
}

nlohmann::ordered_json verdicts_json(std::span<const Verdict> verdicts) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Verdict& verdict : verdicts) {
    json.push_back({{"rows", pattern_text(verdict.expectation->rows)},
                    {"measure", verdict.measure},
                    {"wanted", verdict.wanted},
                    {"reached", verdict.reached},
                    {"seeds", verdict.seeds},
                    {"passed", verdict.passed()}});
  }
  return json;
}

std::string verdict_text(std::span<const Verdict> verdicts, bool color) {
  std::vector<std::vector<std::string>> table{{"expected", "measure", "wanted", "reached", ""}};
  for (const Verdict& verdict : verdicts) {
    table.push_back({pattern_text(verdict.expectation->rows), verdict.measure,
                     fmt::format("{:.4f}", verdict.wanted),
                     verdict.seeds > 0 ? fmt::format("{:.4f}", verdict.reached) : "-",
                     verdict.passed() ? "pass" : "FAIL"});
  }
  return table_text(table, color);
}

}  // namespace structhash::cli
