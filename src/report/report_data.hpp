#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/paired_difference.hpp"
#include "structhash/report/report_page.hpp"

/// The data of the report page: rows grouped over seeds, compared, and beside published numbers.
namespace structhash {

/// One line of a table and of a chart: a method with its parameters, by one distance.
struct ReportSeries {
  std::string method;
  std::string params;  // JSON object
  std::string distance;
  bool usual = true;        // the usual distance of the method: weighted before plain
  bool fixed_size = false;  // shown beside every code length, compared with none
  std::string label{};
};

struct PublishedValue {
  double value = 0.0;
  std::string source;
  std::string table;
};

/// One measure of one series, over seeds.
struct ReportValue {
  double mean = 0.0;
  std::optional<double> spread{};  // standard deviation over seeds; needs two
  bool best = false;               // of the same data set, bits and measure
  /// The best one's values less these; only where both have values per query.
  std::optional<PairedDifference> behind_best{};
  std::optional<PublishedValue> published{};
};

struct ReportResult {
  std::string dataset;
  std::size_t series = 0;  // position in ReportData::series
  Index bits = 0;
  std::vector<std::size_t> rows{};  // positions in ReportData::rows, one per seed, ascending
  double train_seconds = 0.0;       // means over seeds
  double encode_seconds = 0.0;
  std::map<std::string, ReportValue> measures{};
};

struct ReportData {
  ReportNotes notes;
  std::vector<std::string> measures;  // in order of appearance; the first one decides the order
  std::vector<std::string> datasets;
  std::vector<Index> bits;           // ascending
  std::vector<ReportSeries> series;  // best first
  std::vector<DetailedRow> rows;
  std::vector<ReportResult> results;  // by data set, bits, series
};

/// Throws Errc::bad_data if there is no row.
ReportData report_data(std::vector<DetailedRow> rows, const std::vector<ExpectedRow>& expected,
                       ReportNotes notes);

/// The document that the scripts in report/ draw from (docs/report.md).
std::string to_json(const ReportData& data);

}  // namespace structhash
