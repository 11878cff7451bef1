#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "learner/checkpoint.hpp"
#include "learner/list_table.hpp"
#include "learner/recipe.hpp"
#include "learner/tuning/folds.hpp"
#include "structhash/hashing/hasher.hpp"

/// Trainings of candidates on one fold.
namespace structhash {

/// Keeps references to all it is given.
class Trials {
 public:
  /// dither: without its size, which a candidate says.
  Trials(const TrainingSet& data, const Shards& shards, const Recipe& recipe, const Dither& dither,
         const FitContext& context, Checkpoint* checkpoint);

  Index queries() const { return std::ssize(fold_.validation); }

  /// For the progress report: so many trials are to come.
  void expect(Index trials) { expected_ += to_double(trials); }

  /// Scores of the validation queries under shorter codes, per candidate.
  std::vector<std::vector<double>> score(std::span<const Candidate> candidates);

  /// Codes of full length, once per dither.
  TrialCode full_code(const Candidate& candidate, std::span<const double> dithers);

  std::vector<double> score(const CodeMatrix& codes, std::span<const double> weights,
                            double shrinkage, Threads threads) const;

 private:
  TrialCode train(const Recipe& recipe, std::span<const double> dithers, Threads threads);
  double validation_share() const;
  bool report_trial(double finished);

  const TrainingSet& data_;
  const Shards& shards_;
  const Recipe& recipe_;
  const FitContext& context_;
  Checkpoint* checkpoint_;
  Dither dither_;
  Fold fold_;
  Shards fold_shards_;
  FamilyFactory families_;                   // of the fold
  std::unique_ptr<RankingMeasure> measure_;  // of the validation queries
  ListTable lists_;                          // to train on
  std::mutex mutex_;
  double finished_ = 0.0;
  double expected_ = 0.0;
};

}  // namespace structhash
