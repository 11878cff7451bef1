#pragma once

#include <vector>

#include "learner/checkpoint.hpp"
#include "learner/tuning/search_space.hpp"
#include "structhash/hashing/hasher.hpp"

/// Choosing parameters by validation queries.
namespace structhash {

struct Trial {
  Candidate candidate;
  double score = 0.0;  // mean over the validation queries
};

struct Tuning {
  Candidate chosen;
  std::vector<Trial> trials{};  // in the order they were made
  Index validation_queries = 0;
};

/// One parameter after the other, each over a short grid, by slightly shorter codes trained without
/// the validation queries.  A value replaces the default only if it is better by two or three
/// standard errors (docs/adr/0019).  Trials of a checkpoint are not repeated.
Tuning tune(const TrainingSet& data, const Shards& shards, const Recipe& defaults,
            const SearchSpace& space, const FitContext& context, Checkpoint* checkpoint);

}  // namespace structhash
