#pragma once

#include <vector>

#include "structhash/core/rng.hpp"
#include "structhash/core/types.hpp"

/// Which rows ask, which rows are searched, which rows are learned from.
namespace structhash {

struct Split {
  std::vector<Index> queries;   // random, in random order
  std::vector<Index> database;  // all other rows, ascending
  std::vector<Index> train;     // drawn from the database, in random order
};

/// Splits rows 0..rows-1.  The queries do not depend on `train`: growing the training set keeps the
/// evaluation comparable.  Needs at least one row in the database, and `train` rows.
Split split(Index rows, Index queries, Index train, Seed seed);

}  // namespace structhash
