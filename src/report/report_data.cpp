#include "report/report_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "report/series_labels.hpp"
#include "structhash/core/error.hpp"
#include "structhash/report/result_files.hpp"

namespace structhash {
namespace {

template <typename T>
std::size_t position_of(std::vector<T>& values, const T& value) {
  const auto found = std::ranges::find(values, value);
  if (found != values.end()) {
    return static_cast<std::size_t>(found - values.begin());
  }
  values.push_back(value);
  return values.size() - 1;
}

std::size_t position_of_series(std::vector<ReportSeries>& series, const ResultRow& row) {
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (series[i].method == row.method && series[i].params == row.params &&
        series[i].distance == row.distance) {
      return i;
    }
  }
  series.push_back({.method = row.method,
                    .params = row.params,
                    .distance = row.distance,
                    .fixed_size = row.fixed_size});
  return series.size() - 1;
}

/// Gathers the rows by data set, series and bits.
void gather(ReportData& data) {
  for (std::size_t r = 0; r < data.rows.size(); ++r) {
    const ResultRow& row = data.rows[r].row;
    const std::string dataset = shown_dataset(row);
    position_of(data.datasets, dataset);
    if (!row.fixed_size) {
      position_of(data.bits, row.bits);
    }
    for (const auto& [measure, value] : row.measures) {
      position_of(data.measures, measure);
    }
    const std::size_t series = position_of_series(data.series, row);
    auto found = std::ranges::find_if(data.results, [&](const ReportResult& result) {
      return result.dataset == dataset && result.series == series && result.bits == row.bits;
    });
    if (found == data.results.end()) {
      data.results.push_back({.dataset = dataset, .series = series, .bits = row.bits});
      found = std::prev(data.results.end());
    }
    found->rows.push_back(r);
  }
  if (data.bits.empty() && !data.rows.empty()) {
    data.bits.push_back(data.rows.front().row.bits);
  }
  std::ranges::sort(data.bits);
}

std::optional<double> value_of(const ResultRow& row, const std::string& measure) {
  const auto found =
      std::ranges::find(row.measures, measure, &std::pair<std::string, double>::first);
  return found == row.measures.end() ? std::nullopt : std::optional(found->second);
}

/// Mean and standard deviation, n - 1 below the line.
ReportValue over_seeds(const std::vector<double>& values) {
  ReportValue result;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) {
    result.mean += value / count;
  }
  if (values.size() > 1) {
    double squares = 0.0;
    for (const double value : values) {
      squares += (value - result.mean) * (value - result.mean);
    }
    result.spread = std::sqrt(squares / (count - 1.0));
  }
  return result;
}

void summarise(ReportData& data, ReportResult& result) {
  std::ranges::sort(result.rows, {}, [&](std::size_t r) { return data.rows[r].row.seed; });
  for (const std::string& measure : data.measures) {
    std::vector<double> values;
    for (const std::size_t r : result.rows) {
      if (const auto value = value_of(data.rows[r].row, measure)) {
        values.push_back(*value);
      }
    }
    if (!values.empty()) {
      result.measures[measure] = over_seeds(values);
    }
  }
  const auto count = static_cast<double>(result.rows.size());
  for (const std::size_t r : result.rows) {
    result.train_seconds += data.rows[r].row.train_seconds / count;
    result.encode_seconds += data.rows[r].row.encode_seconds / count;
  }
}

/// How many queries have a value on both sides.
std::ptrdiff_t queries_of_both(const std::vector<float>& a, const std::vector<float>& b) {
  std::ptrdiff_t count = 0;
  for (std::size_t q = 0; q < a.size() && a.size() == b.size(); ++q) {
    count += std::isnan(a[q]) || std::isnan(b[q]) ? 0 : 1;
  }
  return count;
}

/// Values per query of one measure, for the seeds that both results have them for.
std::optional<PairedDifference> difference(const ReportData& data, const ReportResult& a,
                                           const ReportResult& b, const std::string& measure) {
  std::vector<std::vector<float>> values_a;
  std::vector<std::vector<float>> values_b;
  const auto per_query = [&](std::size_t r) -> const std::vector<float>* {
    if (!data.rows[r].details) {
      return nullptr;
    }
    const auto found = data.rows[r].details->per_query.find(measure);
    return found == data.rows[r].details->per_query.end() ? nullptr : &found->second;
  };
  for (const std::size_t row_a : a.rows) {
    for (const std::size_t row_b : b.rows) {
      const auto* of_a = per_query(row_a);
      const auto* of_b = per_query(row_b);
      if (data.rows[row_a].row.seed == data.rows[row_b].row.seed && of_a != nullptr &&
          of_b != nullptr && queries_of_both(*of_a, *of_b) > 1) {
        values_a.push_back(*of_a);
        values_b.push_back(*of_b);
      }
    }
  }
  if (values_a.empty()) {
    return std::nullopt;
  }
  return paired_difference(values_a, values_b);
}

/// Codes of one length on one data set.
bool are_compared(const ReportData& data, const ReportResult& a, const ReportResult& b) {
  return a.dataset == b.dataset && a.bits == b.bits && !data.series[b.series].fixed_size;
}

/// Marks the best of every data set, bits and measure, and says how far the others are behind it.
void compare(ReportData& data) {
  for (const std::string& measure : data.measures) {
    for (ReportResult& result : data.results) {
      const auto own = result.measures.find(measure);
      if (own == result.measures.end() || data.series[result.series].fixed_size) {
        continue;
      }
      const ReportResult* best = &result;
      for (const ReportResult& other : data.results) {
        const auto value = other.measures.find(measure);
        if (are_compared(data, result, other) && value != other.measures.end() &&
            value->second.mean > best->measures.at(measure).mean) {
          best = &other;
        }
      }
      own->second.best = best == &result;
      if (best != &result) {
        own->second.behind_best = difference(data, *best, result, measure);
      }
    }
  }
}

void add_published(ReportData& data, const std::vector<ExpectedRow>& expected) {
  for (ReportResult& result : data.results) {
    for (const ExpectedRow& row : expected) {
      if (!row.matches(data.rows[result.rows.front()].row, data.series[result.series].usual)) {
        continue;
      }
      for (const auto& [measure, value] : row.measures) {
        if (const auto found = result.measures.find(measure); found != result.measures.end()) {
          found->second.published = {value, row.source, row.table};
        }
      }
    }
  }
}

/// The first measure that a result has.
const std::string& first_measure(const ReportData& data, const ReportResult& result) {
  const auto found = std::ranges::find_if(
      data.measures, [&](const std::string& name) { return result.measures.contains(name); });
  return found == data.measures.end() ? data.measures.front() : *found;
}

/// Best first: by how far a series is behind the best by the first measure, on average; what has a
/// fixed size comes last.
void order_series(ReportData& data) {
  std::vector<double> behind(data.series.size(), 0.0);
  std::vector<double> count(data.series.size(), 0.0);
  for (const ReportResult& result : data.results) {
    const std::string& measure = first_measure(data, result);
    const auto own = result.measures.find(measure);
    if (own == result.measures.end() || data.series[result.series].fixed_size) {
      continue;
    }
    double best = own->second.mean;
    for (const ReportResult& other : data.results) {
      const auto value = other.measures.find(measure);
      if (are_compared(data, result, other) && value != other.measures.end()) {
        best = std::max(best, value->second.mean);
      }
    }
    behind[result.series] += best - own->second.mean;
    count[result.series] += 1.0;
  }
  std::vector<std::size_t> order(data.series.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    behind[i] = count[i] > 0.0 ? behind[i] / count[i] : std::numeric_limits<double>::infinity();
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return behind[i]; });
  std::vector<ReportSeries> sorted;
  std::vector<std::size_t> new_place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    new_place[order[i]] = i;
    sorted.push_back(std::move(data.series[order[i]]));
  }
  data.series = std::move(sorted);
  for (ReportResult& result : data.results) {
    result.series = new_place[result.series];
  }
}

}  // namespace

ReportData report_data(std::vector<DetailedRow> rows, const std::vector<ExpectedRow>& expected,
                       ReportNotes notes) {
  ReportData data;
  data.notes = std::move(notes);
  data.rows = latest_rows(std::move(rows));
  gather(data);
  if (data.measures.empty()) {
    fail(Errc::bad_data, "there is no result row with a measure to report on");
  }
  label_series(data.series);
  for (ReportResult& result : data.results) {
    summarise(data, result);
  }
  order_series(data);
  compare(data);
  add_published(data, expected);
  std::ranges::sort(data.results, {}, [&](const ReportResult& result) {
    const auto dataset = std::ranges::find(data.datasets, result.dataset) - data.datasets.begin();
    return std::tuple(dataset, result.bits, result.series);
  });
  return data;
}

}  // namespace structhash
