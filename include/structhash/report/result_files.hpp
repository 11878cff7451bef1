#pragma once

#include <string>
#include <vector>

#include "structhash/evaluation/result_row.hpp"

/// Result rows as `structhash experiment` left them, with their details where there are any.
namespace structhash {

/// The rows alone.  Errors name the file and the line.  A last line without its end is what a run
/// that is still going, or was killed, left: it is not read.
std::vector<ResultRow> load_rows(const std::string& path);
/// The rows with their details.
std::vector<DetailedRow> load_results(const std::string& path);

/// Of rows for the same data set, method, parameters, bits, distance and seed the last one: a file
/// keeps the rows of earlier versions.
std::vector<DetailedRow> latest_rows(std::vector<DetailedRow> rows);

}  // namespace structhash
