#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "learner/checkpoint.hpp"
#include "learner/list_table.hpp"
#include "learner/recipe.hpp"
#include "learner/tuning/folds.hpp"
#include "structhash/hashing/hasher.hpp"
#include "structhash/ranking/measures.hpp"

/// Trainings of candidates on one fold.
namespace structhash {

/// A candidate and its training so far, which goes on from one length of codes to the next.
struct Contender {
  Candidate candidate;
  std::unique_ptr<HashFamily> family = nullptr;  // none before its first bit
  std::optional<LearnerState> state = {};        // likewise
  std::vector<std::vector<double>> scores = {};  // of the validation queries, per length
};

/// Keeps references to all it is given.
class Trials {
 public:
  /// dither: without its size, which a candidate says; axes: that are to be tried.
  Trials(const TrainingSet& data, const Shards& shards, const Recipe& recipe, const Dither& dither,
         Index axes, const FitContext& context, Checkpoint* checkpoint);

  Index bits() const { return recipe_.learner.bits; }  // of whole codes

  /// Trains the contenders on to codes of so many bits and adds their scores.  What the checkpoint
  /// knows is not trained.  The response space of `keep` stays for the next call.
  void score(std::span<Contender> contenders, Index bits, const Candidate& keep);

 private:
  void train(Contender& contender, Index bits, Threads threads);
  std::vector<double> score_of(const Contender& contender, Threads threads) const;
  bool report_bit();

  const Recipe& recipe_;
  const FitContext& context_;
  Checkpoint* checkpoint_;
  Dither dither_;
  Fold fold_;
  Shards shards_;           // of the fold
  FamilyFactory families_;  // likewise
  ListTable lists_;         // to train on
  MeasureFunction measure_;
  std::mutex mutex_;
  double finished_ = 0.0;  // bits
  double expected_;        // likewise
};

}  // namespace structhash
