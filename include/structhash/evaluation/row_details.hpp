#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

/// What belongs to a result row but is too long for its line: curves, training, pictures, and the
/// value of every single query.  One JSON file per row, in a folder beside the rows
/// (docs/format.md).
namespace structhash {

struct ResultRow;

/// One item found for a query, as people see it.
struct StripItem {
  std::string image;  // "data:image/png;base64,..."
  bool relevant = false;
  std::string label{};
  bool operator==(const StripItem&) const = default;
};

/// A query and the items nearest to it, nearest first.
struct Strip {
  std::string query_image;  // "data:image/png;base64,..."
  std::string query_label;
  std::vector<StripItem> items{};
  bool operator==(const Strip&) const = default;
};

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

/// One JSON object; NaN is written as null.  Throws Errc::usage if numbers are not finite or paired
/// lists differ in length: such a file could not be read back.
std::string to_json(const RowDetails& details);
/// `name` stands for the text in errors, which are Errc::bad_data and name the field.
RowDetails parse_details(const std::string& text, const std::string& name);

/// Results in "a/b.jsonl" have their details in "a/b.details/<config_hash>-<distance>.json".
std::string details_path(const std::string& results_path, const ResultRow& row);

/// Writes the whole file or none, and makes its folder if that is not there.
void save_details(const std::string& path, const RowDetails& details);
/// Empty if there is no such file: rows need no details.
std::optional<RowDetails> load_details(const std::string& path);

}  // namespace structhash
