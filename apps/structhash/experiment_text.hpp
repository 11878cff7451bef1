#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "structhash/evaluation/experiment.hpp"

/// An experiment as people read it.
namespace structhash::cli {

/// "usps, structhash {"measure":"map"}, 64 bits, seed 1".
std::string cell_text(const ExperimentCell& cell);

/// One line per distance: the cell, what it reached, how long it took.
std::vector<std::string> finished_lines(const ExperimentCell& cell,
                                        std::span<const DetailedRow> rows);

/// Means over seeds: one line per data set, method, bits and distance, in order of appearance.
/// Rows that other code made are marked by a star.
std::string summary_text(const Experiment& experiment, std::span<const ResultRow> rows, bool color);

/// The same, and the verdicts, for `experiment --json`.
nlohmann::ordered_json summary_json(std::span<const ResultRow> rows);
nlohmann::ordered_json verdicts_json(std::span<const Verdict> verdicts);

std::string verdict_text(std::span<const Verdict> verdicts, bool color);

}  // namespace structhash::cli
