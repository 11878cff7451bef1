#pragma once

#include <memory>
#include <string>

#include "hashing/families/make_family.hpp"
#include "hashing/families/whitened.hpp"
#include "learner/list_table.hpp"
#include "learner/params.hpp"
#include "learner/refinement.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// From parameters that may be "auto" to a recipe that has a value for everything.
namespace structhash {

/// The values that tuning may change.
struct Candidate {
  double trade_off = 0.0;
  double ridge = 0.0;
  double penalty = 0.0;
  double width = 0.0;
  double shrinkage = 0.0;
  double dither = 0.0;
  bool operator==(const Candidate&) const = default;
};

/// Everything that decides a training, apart from the data and the seed.
struct Recipe {
  std::string measure;
  double auc_share = 0.0;
  bool scaled_cutoff = true;
  ClassWeight class_weight = ClassWeight::none;
  FamilyRecipe family;
  LearnerParams learner;
  RefinementParams refinement;
  double max_bootstrap_trade_off = 0.0;  // with a larger trade-off no bit sees a bootstrap
  double shrinkage = 0.0;
  double dither = 0.0;
  double validation = 0.0;

  Candidate candidate() const;
  Recipe with(const Candidate& candidate) const;
};

/// max(1, rows / 2000): kernel functions of more rows need less regularisation.  The ridge falls
/// with it, C grows with its root (docs/adr/0009).
double rows_per_2000(Index rows);

/// What the defaults depend on.
struct TrainingTraits {
  Index rows = 0;  // of all processes
  bool labelled = false;
  bool classes = false;     // labelled, one class per row
  bool neighbours = false;  // relevant is what is near: lists without noise
};

/// Defaults by number of rows and kind of supervision (docs/adr/0018).
///
///   kernel functions   C = 10 sqrt(r), ridge = 6e-5 / r,   r = rows_per_2000; dither with classes
///   others             C = 30, ridge = 0.02
///   linear, labelled   joint refinement after column generation (docs/adr/0028), equal weights
///   near neighbours    ten times that C: the lists have no noise
///
/// Bootstrap, if not given: kernel bits, while C is not above its default.  On lists that need a
/// larger C the linear programme converges later, and its bits differ without a bootstrap
/// (docs/adr/0015).
Recipe resolve(const StructHashParams& params, const TrainingTraits& traits);

/// The measure as the lists of a training set need it (ranking/training_loss.hpp).
std::unique_ptr<RankingMeasure> training_measure(const Recipe& recipe, const TrainingSet& data,
                                                 const Shards& shards);

/// The lists of a training set, weighted by class, for that measure.
ListTable make_list_table(const Recipe& recipe, const TrainingSet& data, const Shards& shards);

}  // namespace structhash
