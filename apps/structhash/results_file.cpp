#include "results_file.hpp"

#include <algorithm>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "structhash/core/error.hpp"
#include "structhash/report/result_files.hpp"

namespace structhash::cli {

ResultsFile::ResultsFile(std::string path, std::span<const PlannedCell> plan)
    : path_(std::move(path)) {
  if (std::filesystem::exists(path_)) {
    rows_ = load_rows(path_);
  }
  for (const ResultRow& row : rows_) {
    hashes_.insert(row.config_hash);
  }
  std::erase_if(rows_, [&](const ResultRow& row) {
    return std::ranges::any_of(plan, [&](const PlannedCell& planned) {
      return has(planned) && belongs(row, planned.cell) && row.config_hash != planned.hash;
    });
  });
  AtomicFile file(path_);
  for (const ResultRow& row : rows_) {
    file.write(to_json(row) + "\n");
  }
  file.commit();
  file_.emplace(path_);
}

bool ResultsFile::has_stale(const PlannedCell& planned) const {
  return !has(planned) && std::ranges::any_of(rows_, [&](const ResultRow& row) {
    return belongs(row, planned.cell);
  });
}

void ResultsFile::append(std::span<const DetailedRow> rows) {
  std::string lines;
  for (const DetailedRow& entry : rows) {
    if (entry.details) {
      save_details(details_path(path_, entry.row), *entry.details);
    }
    lines += to_json(entry.row) + "\n";
    rows_.push_back(entry.row);
    hashes_.insert(entry.row.config_hash);
  }
  file_->append(lines);
}

std::vector<ResultRow> ResultsFile::rows_of(std::span<const PlannedCell> plan, bool stale) const {
  std::vector<ResultRow> found;
  for (const PlannedCell& planned : plan) {
    const bool old = stale && has_stale(planned);
    std::ranges::copy_if(rows_, std::back_inserter(found), [&](const ResultRow& row) {
      return old ? belongs(row, planned.cell) : row.config_hash == planned.hash;
    });
  }
  return found;
}

}  // namespace structhash::cli
