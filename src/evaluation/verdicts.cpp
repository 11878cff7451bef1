#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "structhash/evaluation/experiment.hpp"

namespace structhash {
namespace {

/// Mean of a measure over the rows that are meant; `seeds` counts them.
struct Mean {
  double value = 0.0;
  Index seeds = 0;
};

template <typename Meant>
Mean mean_of(std::span<const ResultRow> rows, const std::string& measure, const Meant& meant) {
  Mean mean;
  for (const ResultRow& row : rows) {
    const auto found =
        std::ranges::find(row.measures, measure, &std::pair<std::string, double>::first);
    if (found != row.measures.end() && meant(row)) {
      mean.value += found->second;
      ++mean.seeds;
    }
  }
  mean.value = mean.seeds > 0 ? mean.value / to_double(mean.seeds) : 0.0;
  return mean;
}

/// The best mean over seeds among the series that a pattern matches.
double best_of(std::span<const ResultRow> rows, const std::string& measure,
               const RowPattern& pattern) {
  const auto series = [](const ResultRow& row) {  // rows that differ by their seed alone
    return std::tuple(row.method, row.params, row.bits, row.distance);
  };
  std::set<decltype(series(rows[0]))> all;
  for (const ResultRow& row : rows) {
    if (pattern.matches(row)) {
      all.insert(series(row));
    }
  }
  double best = -std::numeric_limits<double>::infinity();
  for (const auto& one : all) {
    const auto meant = [&](const ResultRow& row) {
      return pattern.matches(row) && series(row) == one;
    };
    best = std::max(best, mean_of(rows, measure, meant).value);
  }
  return best;
}

}  // namespace

bool RowPattern::matches(const ResultRow& row) const {
  const auto params = nlohmann::json::parse(row.params);
  const auto has = [&](const auto& option) {
    const auto found = params.find(option.first);
    return found != params.end() && (found->is_string() ? found->template get<std::string>()
                                                        : found->dump()) == option.second;
  };
  return (dataset.empty() || dataset == row.dataset) && (method.empty() || method == row.method) &&
         except != row.method && (bits == 0 || bits == row.bits) &&
         (distance.empty() || distance == row.distance) && std::ranges::all_of(options, has);
}

std::vector<Verdict> judge(const Experiment& experiment, std::span<const ResultRow> rows) {
  std::vector<Verdict> verdicts;
  for (const Expectation& expectation : experiment.expectations) {
    const auto hold = [&](const std::string& measure, double wanted) {
      const Mean mean = mean_of(
          rows, measure, [&](const ResultRow& row) { return expectation.rows.matches(row); });
      verdicts.push_back({&expectation, measure, mean.value, wanted, mean.seeds});
    };
    for (const auto& [measure, wanted] : expectation.at_least) {
      hold(measure, wanted);
    }
    for (const auto& [measure, margin] : expectation.within) {
      hold(measure, best_of(rows, measure, expectation.among) - margin);
    }
  }
  return verdicts;
}

}  // namespace structhash
