#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "structhash/core/types.hpp"

/// The results of one method on one data set by one distance: a line of a results file, and its
/// details.
namespace structhash {

struct ResultRow {
  std::string dataset;
  std::string method;
  std::string params;  // JSON object
  Index bits = 0;
  std::uint64_t seed = 0;
  std::string distance;          // "weighted", "hamming", "adaptive" or a name of own_distance
  std::string database = "all";  // or "without-training": training rows are left out
  std::vector<std::pair<std::string, double>> measures;
  double train_seconds = 0.0;
  double encode_seconds = 0.0;
  std::string version;  // of the code (core/version.hpp)
  /// Of what has one size only, such as float vectors: reports show it beside every code length.
  bool fixed_size = false;
  std::string config_hash;  // of everything the row depends on, the version of the code included
};

/// The data set as tables show it: its name, and whether training rows are left out.
std::string shown_dataset(const ResultRow& row);

std::string to_json(const ResultRow& row);  // one line
ResultRow parse_row(std::string_view line);

/// One item found for a query, as shown to people: by its image or by its text.
struct StripItem {
  std::string image{};  // "data:image/png;base64,..."
  bool relevant = false;
  std::string label{};
  std::string text{};
  bool operator==(const StripItem&) const = default;
};

/// A query and the items nearest to it, nearest first.
struct Strip {
  std::string query_image{};  // "data:image/png;base64,..."
  std::string query_label{};
  std::string query_text{};
  std::vector<StripItem> items{};
  bool operator==(const Strip&) const = default;
};

/// What is too long for the line of a row: curves, training, pictures, and the value of every
/// query. One JSON file per row, in a folder beside the rows (docs/format.md).
struct RowDetails {
  std::vector<double> recall{};             // the precision-recall curve:
  std::vector<double> precision{};          // one precision per recall level
  std::vector<double> ranks{};              // precision among the first N:
  std::vector<double> precision_at_rank{};  // one value per rank
  std::vector<double> objective{};    // of training, after each step; empty: the method has none
  std::vector<double> bit_weights{};  // empty: plain Hamming
  std::vector<Strip> strips{};
  /// By measure: one value per query, in query order; NaN for a query without relevant items.
  std::map<std::string, std::vector<float>> per_query{};
};

struct DetailedRow {
  ResultRow row;
  std::optional<RowDetails> details{};
};

/// One JSON object; NaN is written as null.  Throws Errc::usage if numbers are not finite or paired
/// lists differ in length: such a file could not be read back.
std::string to_json(const RowDetails& details);
/// `name` is the file in errors, which are Errc::bad_data and name the field.
RowDetails parse_details(const std::string& text, const std::string& name);

/// Results in "a/b.jsonl" have their details in "a/b.details/<config_hash>-<distance>.json".
std::string details_path(const std::string& results_path, const ResultRow& row);

/// Writes the whole file or nothing; creates its folder if needed.
void save_details(const std::string& path, const RowDetails& details);
/// Empty if there is no such file: details are optional.
std::optional<RowDetails> load_details(const std::string& path);

}  // namespace structhash
