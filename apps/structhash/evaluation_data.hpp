#pragma once

#include <string>

#include "distance_option.hpp"
#include "inputs.hpp"
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
  double nearest =
      0.0;  // share of the database that is relevant, by l2 distance, likewise; 0: none
};

void add_evaluation_options(Command& command, EvaluationFiles& files);

struct EvaluationData {
  CodeMatrix database;
  CodeMatrix queries;
  Matrix<float> query_values{};  // query_values, for distances that use them
  GroundTruth truth;
  RowIds query_ids;  // without ids the row numbers of the input files, counted from 1
  RowIds item_ids;
  double trained_share = 0.0;  // of the queries that are training rows of the model, estimated
};

/// Throws Errc::usage if the options do not name queries and relevance.
/// Random queries are drawn by structhash::split: the same rows that `train --queries` leaves out.
EvaluationData prepare_evaluation(const HashModel& model, const EvaluationFiles& files,
                                  QueryDistance distance, Seed seed, int threads,
                                  const ProgressCallback& on_progress);

}  // namespace structhash::cli
