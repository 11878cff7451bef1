#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "core/json_fields.hpp"
#include "evaluation/row_options.hpp"
#include "structhash/evaluation/experiment.hpp"

namespace structhash {
namespace {

/// Mean of a measure over selected rows, one per seed.
struct Mean {
  double value = 0.0;
  Index seeds = 0;
};

template <typename Selects>
Mean mean_of(std::span<const ResultRow> rows, const std::string& measure, const Selects& selects) {
  Mean mean;
  for (const ResultRow& row : rows) {
    const auto found =
        std::ranges::find(row.measures, measure, &std::pair<std::string, double>::first);
    if (found != row.measures.end() && selects(row)) {
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
    const auto selects = [&](const ResultRow& row) {
      return pattern.matches(row) && series(row) == one;
    };
    best = std::max(best, mean_of(rows, measure, selects).value);
  }
  return best;
}

}  // namespace

bool has_options(const ResultRow& row, const std::map<std::string, std::string>& options) {
  const OrderedJson params = OrderedJson::parse(row.params);
  return std::ranges::all_of(options, [&](const auto& option) {
    const auto found = params.find(option.first);
    return found != params.end() && as_text(*found) == option.second;
  });
}

bool RowPattern::matches(const ResultRow& row) const {
  return (dataset.empty() || dataset == row.dataset) && (method.empty() || method == row.method) &&
         except != row.method && (bits == 0 || bits == row.bits) &&
         (distance.empty() ? row.distance != "adaptive" : distance == row.distance) &&
         has_options(row, options);
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
