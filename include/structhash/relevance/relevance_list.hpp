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
  Labels labels;                     // empty when supervision came as lists; of all rows()
  std::vector<RelevanceList> lists;  // empty when there is no supervision
  /// For lists_from_neighbours, per row: the rows within this squared l2 distance are relevant; -1
  /// for a row that is no query.  Lists are samples of these rows.
  std::vector<double> reach = {};
  /// Sizes of the shards of this process (core/shards.hpp), which are consecutive rows of x.  Lists
  /// are in the order of their shards, and no list spans two shards.  Empty: one shard.
  std::vector<Index> shards = {};
  /// x is known to be finite, because a loader has checked it: fit() does not scan it again.
  bool finite = false;
  /// Queries of another kind than the items, which get an encoder of their own (docs/adr/0033): row
  /// x.rows() + q of lists and labels is row q of these.  Empty: all rows are of one kind.
  Matrix<float> queries = {};

  bool two_views() const { return queries.size() > 0; }
  Index rows() const { return x.rows() + queries.rows(); }
};

}  // namespace structhash
