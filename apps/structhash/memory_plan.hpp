#pragma once

#include <string>

#include "evaluation_data.hpp"
#include "structhash/evaluation/experiment.hpp"
#include "structhash/hashing/method_options.hpp"
#include "training_data.hpp"

/// An upper estimate of the memory of a command, from the heads of its files: what --memory-limit
/// compares with.  The memory of a training is in the method table; docs/reliability.md says how
/// well the estimates fit.
namespace structhash::cli {

struct TrainingPlan {
  Index rows = 0;      // to train on
  double bytes = 0.0;  // what they need, per process
  Index fitting = 0;   // thousands of rows that stay within the limit
};

/// For `processes` that share the rows.
TrainingPlan plan_training(const TrainingFiles& files, const std::string& method,
                           const MethodOptions& options, int threads, int processes, double limit);

/// model: its file.
double memory_of_encoding(const std::string& model, const DataFiles& files, int threads);

/// depth: items per query of a run file; 0: none.
double memory_of_evaluation(const std::string& model, const EvaluationFiles& files, Index depth,
                            int threads);

constexpr double kBytesPerNeighbour = 48.0;  // as found, as written
/// codes: a code file or an index file; items: names and labels of what is searched; k: neighbours
/// per query, 0 with a radius, whose neighbours come on top.
double memory_of_search(const std::string& model, const std::string& codes,
                        const DataFiles& queries, const DataFiles& items, Index k, int threads);

/// `jobs` cells at a time: the sum of the largest.
double memory_of_experiment(const Experiment& experiment, Index jobs, int threads);

}  // namespace structhash::cli
