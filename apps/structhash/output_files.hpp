#pragma once

#include <string>

#include "evaluation_data.hpp"
#include "structhash/evaluation/evaluate.hpp"

/// Files that `evaluate` writes besides its table; they appear complete or not at all.
namespace structhash::cli {

void write_run_file(const std::string& path, const EvaluationData& data, const BitWeights& weights,
                    Index depth, const std::string& tag, int threads);

void write_curves_file(const std::string& path, const EvaluationData& data,
                       const BitWeights& weights, const EvaluationOptions& options);

}  // namespace structhash::cli
