#pragma once

#include <string>
#include <vector>

#include "structhash/evaluation/result_row.hpp"

/// Result rows as `structhash experiment` writes them, with their details if there are any.
namespace structhash {

/// The rows alone.  Errors name the file and the line.  An unfinished last line, of a run
/// that still works or was killed, is ignored.
std::vector<ResultRow> load_rows(const std::string& path);
/// The rows with their details.
std::vector<DetailedRow> load_results(const std::string& path);

/// The last one of all rows with the same data set, method, parameters, bits, distance and seed: a
/// file also has rows of earlier versions.
std::vector<DetailedRow> latest_rows(std::vector<DetailedRow> rows);

}  // namespace structhash
