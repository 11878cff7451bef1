#pragma once

#include <vector>

#include "core/shards.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// Validation sets for tuning.
namespace structhash {

/// A training set without the rows of the validation queries, and the lists of these queries.
struct Fold {
  TrainingSet training;                   // rows renumbered
  Matrix<float> rows;                     // validation queries and what they rank
  std::vector<RelevanceList> validation;  // over `rows`; the lists of one query stand together
  double listed = 1.0;                    // share of the relevant rows that they hold
};

/// With labels a validation query ranks the other held-out rows: codes of rows that were trained on
/// look better than those of a database will.  Where classes are so small that a tenth of the
/// queries would have no relevant row left, halves of random classes are held out.  Without labels
/// a query ranks the items of all lists. Every process of several gets the same validation lists,
/// which then need labels. share: of the queries, of which 1,000 at most are held out.  Throws
/// Errc::bad_data if there are too few queries.
Fold make_fold(const TrainingSet& data, const Shards& shards, double share, Seed seed);

}  // namespace structhash
