#include "structhash/report/result_files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>

#include "core/text_file.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

std::vector<ResultRow> load_rows(const std::string& path) {
  require_regular_file(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fail(Errc::io, fmt::format("{}: cannot be opened for reading: {}", path, std::strerror(errno)));
  }
  std::vector<ResultRow> rows;
  std::string line;
  for (Index number = 1; std::getline(file, line) && !file.eof(); ++number) {
    try {
      rows.push_back(parse_row(line));
    } catch (const Error& error) {
      fail(error.code(), fmt::format("{}, line {}: {}", path, number, error.what()));
    }
  }
  if (file.bad()) {
    fail(Errc::io, path + ": reading failed: disk error or out of memory");
  }
  return rows;
}

std::vector<DetailedRow> load_results(const std::string& path) {
  std::vector<DetailedRow> rows;
  for (ResultRow& row : load_rows(path)) {
    rows.push_back({.row = std::move(row)});
    rows.back().details = load_details(details_path(path, rows.back().row));
  }
  return rows;
}

std::vector<DetailedRow> latest_rows(std::vector<DetailedRow> rows) {
  std::map<std::string, std::size_t> position;
  std::vector<DetailedRow> latest;
  for (DetailedRow& entry : rows) {
    const ResultRow& row = entry.row;
    const std::string key = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", shown_dataset(row), row.method,
                                        row.params, row.bits, row.distance, row.seed);
    const auto [found, added] = position.emplace(key, latest.size());
    if (added) {
      latest.push_back(std::move(entry));
    } else {
      latest[found->second] = std::move(entry);
    }
  }
  return latest;
}

}  // namespace structhash
