#pragma once

#include <string>

#include "inputs.hpp"
#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/evaluation/ground_truth.hpp"
#include "structhash/relevance/judgments.hpp"

/// What an evaluation needs: encoded queries, an encoded database, and what is relevant to what.
namespace structhash::cli {

/// Either separate query files, or a number of random rows of the one data set.
struct ContestFiles {
  DataFiles database;
  DataFiles queries;
  Index query_count = 0;  // used without query files
  std::string relevance;  // TREC judgments in place of labels
};

void add_contest_options(Command& command, ContestFiles& files);

struct Contest {
  CodeMatrix database;
  CodeMatrix queries;
  GroundTruth truth;
  RowIds query_ids;  // row numbers of the input files, counted from 1
  RowIds item_ids;
};

/// Throws Errc::usage when the options do not say where queries and relevance come from.
/// A number of queries is drawn by structhash::split, exactly as `train` leaves them out.
Contest prepare_contest(const HashModel& model, const ContestFiles& files, Seed seed, int threads,
                        const ProgressCallback& on_progress);

}  // namespace structhash::cli
