#pragma once

#include <span>

#include "core/shards.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// How many rows are relevant to each other, counted by labels.
namespace structhash {

/// Share of the relevant rows, as the labels have it, that the lists hold on average; 1 without
/// labels.
double listed_share(std::span<const RelevanceList> lists, const Labels& labels);
/// The same over all shards, assuming that each holds its share of every class.
double listed_share(const TrainingSet& data, const Shards& shards);

}  // namespace structhash
