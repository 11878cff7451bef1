#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "appended_file.hpp"
#include "structhash/evaluation/experiment.hpp"

/// The rows of an experiment on disk, as they grow.
namespace structhash::cli {

/// A cell and the hash its rows must carry.
struct PlannedCell {
  ExperimentCell cell;
  std::string hash;
};

class ResultsFile {
 public:
  /// Reads the rows of earlier runs, if the file is there.  The unfinished last line of
  /// a killed run is dropped, and so are stale rows of cells that were run again.  The file is
  /// locked as long as this object exists: throws Errc::io if another process has it.
  ResultsFile(std::string path, std::span<const PlannedCell> plan);

  bool has(const PlannedCell& cell) const { return hashes_.contains(cell.hash); }
  bool has_stale(const PlannedCell& cell) const;
  /// Adds the rows of one cell, whole lines at once, after their details.
  void append(std::span<const DetailedRow> rows);

  /// Rows of the plan made by this code; with `stale`, for a cell that has none, those of other
  /// code or settings.
  std::vector<ResultRow> rows_of(std::span<const PlannedCell> plan, bool stale) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<ResultRow> rows_;
  std::set<std::string> hashes_;
  std::optional<AppendedFile> file_;
};

}  // namespace structhash::cli
