#pragma once

#include <map>
#include <string>
#include <vector>

#include "structhash/evaluation/experiment.hpp"

/// Numbers that others published, to be shown beside ours.
namespace structhash {

struct ExpectedRow {
  std::string source;  // "Lin, Shen, Wu, ECCV 2014"
  std::string table;   // where in the source; may be empty
  std::string dataset;
  std::string method;
  std::map<std::string, std::string> options{};  // a part of the method's parameters
  std::string distance{};                        // empty: the one the method is meant for
  Index bits = 0;
  std::map<std::string, double> measures{};

  /// `usual`: the row is by the distance that its method is meant for.
  bool matches(const ResultRow& row, bool usual) const;
};

/// Reads { "source": "...", "rows": [ { "dataset", "table", "method", "bits", "measures": {...},
/// "distance" if it matters, and options of the method if they matter } ] }.
/// Errors are Errc::bad_data and name file and field.
std::vector<ExpectedRow> load_expected(const std::string& path);

}  // namespace structhash
