#pragma once

#include <string>

#include "inputs.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/evaluation/ground_truth.hpp"
#include "structhash/relevance/judgments.hpp"

/// The input of an evaluation: encoded queries, an encoded database, and their relevance.
namespace structhash::cli {

/// Either separate query files, or a number of random rows of one data set.
struct EvaluationFiles {
  DataFiles database;
  DataFiles queries;
  Index query_count = 0;  // used without query files
  Index left_out = 0;     // training rows that are not in the database, likewise
  std::string relevance;  // TREC judgments in place of labels
};

void add_evaluation_options(Command& command, EvaluationFiles& files);

struct EvaluationData {
  CodeMatrix database;
  CodeMatrix queries;
  Matrix<float> query_values{};  // adaptive_values of the queries, if they were asked for
  GroundTruth truth;
  RowIds query_ids;  // row numbers of the input files, counted from 1
  RowIds item_ids;
  double trained_share = 0.0;  // of the queries that are training rows of the model, estimated
};

/// Throws Errc::usage if the options do not name queries and relevance.
/// Random queries are drawn by structhash::split: the same rows that `train --queries` leaves out.
EvaluationData prepare_evaluation(const HashModel& model, const EvaluationFiles& files,
                                  Distance distance, Seed seed, int threads,
                                  const ProgressCallback& on_progress);

}  // namespace structhash::cli
