// What train says at its end.
#pragma once

#include <string>

#include "session.hpp"
#include "structhash/hashing/model.hpp"
#include "training_data.hpp"

namespace structhash::cli {

/// Totals over all processes.
struct Outcome {
  double seconds = 0.0;
  double lists = 0.0;
  double queries = 0.0;
  double without_relevant = 0.0;
  double without_irrelevant = 0.0;
  double network_bytes = 0.0;
};

/// Queries without a list are reported, never silently dropped.
void note_lists(const Outcome& outcome);

/// Of a model written to `path`: a sentence, or JSON.
void print_outcome(const std::string& path, const Session& session, const HashModel& model,
                   const TrainingData& data, const Outcome& outcome, int processes);

}  // namespace structhash::cli
