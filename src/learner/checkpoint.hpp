#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "learner/column_generation.hpp"
#include "learner/recipe.hpp"

/// The state of a training on disk: the trials of tuning and the bits learned so far.  A training
/// that continues from it ends in the same bytes as one that never stopped (docs/reliability.md).
namespace structhash {

/// The score of one candidate for every validation query, by codes of so many bits.
struct FinishedTrial {
  Candidate candidate;
  Index bits = 0;
  std::vector<double> scores;
};

struct TrainingState {
  std::vector<FinishedTrial> trials;
  std::optional<LearnerState> learner;  // after at least one bit
};

/// What decides every byte of the model; the number of threads does not.
struct TrainingIdentity {
  std::string options;  // JSON object: options and seed
  std::string data;     // fingerprint of features, labels and lists
  Index rows = 0;       // whose bits the file holds; none where the rows are cut into shards
};
TrainingIdentity identity_of(const TrainingSet& data, const Shards& shards,
                             const StructHashParams& params, Seed seed);

/// Writes the state to one path; the file is replaced atomically at every change.  Several threads
/// may read and add trials at once.
class Checkpoint {
 public:
  /// Continues from the file if it exists.  Throws Errc::bad_data that names the difference if it
  /// belongs to another training, Errc::corrupt_file if it is damaged.
  /// Of several processes all read the file, and the first alone writes it.
  Checkpoint(std::string path, TrainingIdentity identity, const Shards& shards);

  std::optional<std::vector<double>> trial(const Candidate& candidate, Index bits) const;
  void add(FinishedTrial trial);

  const LearnerState* learner() const;  // nullptr before the first bit
  void set(LearnerState learner);

 private:
  void write() const;

  std::string path_;
  TrainingIdentity identity_;
  bool writes_;
  bool holds_signs_;
  mutable std::mutex mutex_;
  TrainingState state_;
};

}  // namespace structhash
