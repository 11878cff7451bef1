#pragma once

#include <vector>

#include "structhash/core/types.hpp"
#include "structhash/data/dataset.hpp"

/// The only kind of supervision: "for this query, these items should come before those".
namespace structhash {

/// One supervised list.  All indices are rows of the training matrix; where queries are separate
/// vectors they stand in rows of their own behind the items.
struct RelevanceList {
  Index query = 0;
  std::vector<Index> relevant;    // P >= 1 items
  std::vector<Index> irrelevant;  // N >= 1 items
  double weight = 1.0;            // > 0; the lists of one query may share its weight
};

/// Everything a method may learn from.  Unsupervised methods look at x alone; supervised ones at
/// labels or lists, whichever they are made for.
struct TrainingSet {
  Matrix<float> x;
  Labels labels;                     // empty when supervision came as lists
  std::vector<RelevanceList> lists;  // empty when there is no supervision
  /// Where relevance is nearness (lists_from_neighbours), of every row that asks: the rows within
  /// this squared l2 distance are relevant.  Lists are samples; this is the whole truth.
  std::vector<double> reach = {};
  /// Where the rows are cut (core/shards.hpp): how many belong to every shard this process holds,
  /// one after another in x; lists stand in the order of their shards, and none reaches from one
  /// into another.  Empty: all rows are one shard.
  std::vector<Index> shards = {};
};

}  // namespace structhash
