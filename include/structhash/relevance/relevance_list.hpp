#pragma once

#include <vector>

#include "structhash/core/types.hpp"
#include "structhash/data/dataset.hpp"

/// The only kind of supervision: "for this query, these items should come before those".
namespace structhash {

/// One supervised list.  All indices are rows of the training matrix; queries that are separate
/// vectors are rows after the items.
struct RelevanceList {
  Index query = 0;
  std::vector<Index> relevant;    // P >= 1 items
  std::vector<Index> irrelevant;  // N >= 1 items
  double weight = 1.0;            // > 0; the lists of one query may share its weight
  /// Relevant items beyond the sample: not trained on, but validation must not call them
  /// irrelevant.
  std::vector<Index> further = {};
};

/// The input of training.  Unsupervised methods use x alone; supervised ones use labels or lists.
struct TrainingSet {
  Matrix<float> x;
  Labels labels;                     // empty when supervision came as lists
  std::vector<RelevanceList> lists;  // empty when there is no supervision
  /// For lists_from_neighbours, per row: the rows within this squared l2 distance are relevant; -1
  /// for a row that is no query.  Lists are samples of these rows.
  std::vector<double> reach = {};
  /// Sizes of the shards of this process (core/shards.hpp), which are consecutive rows of x.  Lists
  /// are in the order of their shards, and no list spans two shards.  Empty: one shard.
  std::vector<Index> shards = {};
  /// x is known to be finite, because a loader has checked it: fit() does not scan it again.
  bool finite = false;
};

}  // namespace structhash
