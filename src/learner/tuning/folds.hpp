#pragma once

#include <vector>

#include "core/shards.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// Validation sets for tuning.
namespace structhash {

struct FoldParams {
  double share;               // of the queries to hold out
  Index max_queries = 1'000;  // to hold out
};

/// A training set without the rows of the validation queries, and the lists of these queries.
struct Fold {
  TrainingSet training;                   // rows renumbered
  std::vector<RelevanceList> validation;  // over the rows of the whole set, or validation_rows
  Matrix<float> validation_rows = {};     // where the rows are cut: held out, of all processes
};

/// With labels a validation query ranks the other held-out rows: codes of rows that were trained on
/// look better than those of a database will.  Without labels it ranks the items of all lists.
/// Every process of several gets the same validation lists, which then need labels.
/// Throws Errc::bad_data if there are too few queries.
Fold make_fold(const TrainingSet& data, const Shards& shards, const FoldParams& params, Seed seed);

}  // namespace structhash
