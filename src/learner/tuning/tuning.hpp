#pragma once

#include <vector>

#include "learner/checkpoint.hpp"
#include "learner/tuning/search_space.hpp"
#include "structhash/hashing/hasher.hpp"

/// Choosing parameters by validation queries.
namespace structhash {

struct Trial {
  Candidate candidate;
  Index bits = 0;
  double score = 0.0;  // mean over the validation queries
};

struct Tuning {
  Candidate chosen;
  std::vector<Trial> trials{};  // in the order they were made
  Index validation_queries = 0;
};

/// One parameter after the other.  The values of its grid race against the best so far, trained
/// without the validation queries to a quarter, half and all of the bits.  Who is clearly worse
/// leaves, so does the worse half, and from half of the bits on who is not better.  A value
/// replaces the default only if it is better by two or three standard errors (docs/adr/0012).
/// Trials of a checkpoint are not repeated.
Tuning tune(const TrainingSet& data, const Shards& shards, const Recipe& defaults,
            const SearchSpace& space, const FitContext& context, Checkpoint* checkpoint);

}  // namespace structhash
