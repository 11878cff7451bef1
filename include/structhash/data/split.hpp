#pragma once

#include <vector>

#include "structhash/core/rng.hpp"
#include "structhash/core/types.hpp"

/// Splits rows into queries, database and training set.
namespace structhash {

struct Split {
  std::vector<Index> queries;   // random, in random order
  std::vector<Index> database;  // all other rows, ascending
  std::vector<Index> train;     // drawn from the database, in random order
};

/// Splits rows 0..rows-1.  The queries do not depend on `train`, so a larger training set keeps the
/// evaluation comparable.  The database needs at least one row, and at least `train` rows, or one
/// more where they are then left out of it.
Split split(Index rows, Index queries, Index train, Seed seed, bool leave_out_training = false);

}  // namespace structhash
