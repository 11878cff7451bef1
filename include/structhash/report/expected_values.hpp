#pragma once

#include <map>
#include <string>
#include <vector>

#include "structhash/evaluation/experiment.hpp"

/// Published numbers, to be shown beside our results.
namespace structhash {

struct ExpectedRow {
  std::string source;  // "Lin, Shen, Wu, ECCV 2014"
  std::string table;   // where in the source; may be empty
  std::string dataset;
  std::string method;
  std::map<std::string, std::string> options{};  // a part of the method's parameters
  std::string distance{};                        // empty: the usual one of the method
  Index bits = 0;
  std::map<std::string, double> measures{};

  /// `usual`: the distance of the row is the usual one of its method.
  bool matches(const ResultRow& row, bool usual) const;
};

/// Reads { "source": "...", "rows": [ { "dataset", "table", "method", "bits", "measures": {...},
/// "distance" if it matters, and options of the method if they matter } ] }.
/// Errors are Errc::bad_data and name file and field.
std::vector<ExpectedRow> load_expected(const std::string& path);

}  // namespace structhash
