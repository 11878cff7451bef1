#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "learner/column_generation.hpp"
#include "learner/selection.hpp"
#include "structhash/codes/code_matrix.hpp"

/// A training on disk as far as it has come: what was tried while parameters were chosen, and the
/// bits learned so far.  Going on from it ends in the same bytes as never having stopped
/// (docs/reliability.md).
namespace structhash {

/// Codes of all rows learned without the held-out queries, and the weights of their bits.
struct TrialCode {
  std::vector<CodeMatrix> codes;  // with less and with more dither
  std::vector<double> weights;
};

/// One candidate that was tried: its score for every held-out query.
struct FinishedTrial {
  ChosenParams params;
  std::vector<double> scores;
};

struct TrainingState {
  std::vector<FinishedTrial> trials;
  std::optional<TrialCode> trial_code;  // by which dither and shrinkage are chosen
  std::optional<LearnerState> learner;  // after at least one bit
};

/// What decides every byte of the outcome; the number of threads does not.
struct TrainingIdentity {
  std::string options;  // JSON object: parameters and seed
  std::string data;     // fingerprint of features, labels and lists
  Index rows = 0;       // whose bits are kept; none where the rows are cut into shards
};
TrainingIdentity identity_of(const TrainingSet& data, const Shards& shards,
                             const StructHashParams& params, Seed seed);

/// Keeps the state under one path; the file is replaced atomically each time something is added.
/// Trials may be kept and asked for by several threads at once.
class Checkpoint {
 public:
  /// Goes on from the file if it is there.  Throws Errc::bad_data naming what is different if it
  /// belongs to another training, Errc::corrupt_file if it cannot be believed.
  /// Of several processes all read it, and the first alone writes.
  Checkpoint(std::string path, TrainingIdentity identity, const Shards& shards);

  std::optional<std::vector<double>> trial(const ChosenParams& params) const;
  void keep(FinishedTrial trial);

  std::optional<TrialCode> trial_code() const;
  void keep(const TrialCode& code);

  const LearnerState* learner() const;  // nullptr before the first bit
  void keep(LearnerState learner);

 private:
  void write() const;

  std::string path_;
  TrainingIdentity identity_;
  bool writes_;
  bool keeps_signs_;
  mutable std::mutex mutex_;
  TrainingState state_;
};

}  // namespace structhash
