#pragma once

#include <vector>

#include "core/shards.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// Which rows are held out for choosing parameters, and what all processes know of them.
namespace structhash {

/// Rows of this process, sorted, drawn from the queries of all processes.  Throws Errc::bad_data
/// when there are too few queries to hold any out.
std::vector<Index> held_rows(const TrainingSet& data, const Shards& shards, double fraction,
                             Index most, Seed seed);

/// Rows of this process, and those of the others, by their numbers among all rows; ascending.
std::vector<Index> gathered_numbers(std::vector<Index> rows, const Shards& shards);

/// The labels of such rows.
Labels gathered_labels(const Labels& own, const Shards& shards);

}  // namespace structhash
