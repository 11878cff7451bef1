#pragma once

#include <optional>
#include <string>
#include <vector>

#include "structhash/evaluation/experiment.hpp"
#include "structhash/evaluation/row_details.hpp"

/// Result rows as `structhash experiment` left them, with their details where there are any.
namespace structhash {

struct DetailedRow {
  ResultRow row;
  std::optional<RowDetails> details{};
};

/// Errors name the file and the line.  A last line without its end is what a run that is still
/// going, or was killed, left: it is not read.
std::vector<DetailedRow> load_results(const std::string& path);

/// Of rows for the same data set, method, parameters, bits, distance and seed the last one: a file
/// keeps the rows of earlier versions.
std::vector<DetailedRow> latest_rows(std::vector<DetailedRow> rows);

}  // namespace structhash
