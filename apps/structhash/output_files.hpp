#pragma once

#include <span>
#include <string>

#include "contest.hpp"
#include "structhash/evaluation/evaluate.hpp"

/// Files that `evaluate` writes beside its table; like all our files they appear whole or not at
/// all.
namespace structhash::cli {

void write_run_file(const std::string& path, const Contest& contest, std::span<const float> weights,
                    Index depth, const std::string& tag, int threads);

void write_curves_file(const std::string& path, const Contest& contest,
                       std::span<const float> weights, const EvaluationOptions& options);

}  // namespace structhash::cli
