#include "learner/recipe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learner/label_shares.hpp"
#include "ranking/training_loss.hpp"

namespace structhash {
namespace {

constexpr double kFullIterationRows = 4'000.0;  // more rows need fewer iterations of L-BFGS
constexpr int kMinIterations = 8;
/// Of large classes the lists hold so few rows that rank 100 of all stands near rank 2 of a list,
/// and two items are too few to learn from.
constexpr double kMinListedShare = 0.15;
constexpr double kLargeClassShare = 0.5;

double max_bootstrap_trade_off(const StructHashParams& params, double default_trade_off) {
  constexpr double kAlways = std::numeric_limits<double>::infinity();
  if (params.bootstrap) {
    return *params.bootstrap ? kAlways : 0.0;
  }
  if (params.functions != Functions::kernel) {
    return 0.0;
  }
  return params.trade_off ? kAlways : default_trade_off;
}

/// most sqrt(4,000 / rows): the time of a bit grows more slowly than the rows.
int iterations_for(Index rows, int most) {
  const double share =
      std::sqrt(kFullIterationRows / std::max(kFullIterationRows, to_double(rows)));
  return std::max(std::min(most, kMinIterations), static_cast<int>(share * most));
}

}  // namespace

Candidate Recipe::candidate() const {
  return {.trade_off = learner.trade_off,
          .ridge = family.ridge,
          .penalty = family.smooth.penalty,
          .width = family.kernel.width,
          .shrinkage = shrinkage,
          .dither = dither};
}

Recipe Recipe::with(const Candidate& candidate) const {
  Recipe recipe = *this;
  recipe.learner.trade_off = candidate.trade_off;
  recipe.learner.bootstrap = candidate.trade_off <= max_bootstrap_trade_off;
  recipe.family.ridge = recipe.family.query_ridge = candidate.ridge;
  recipe.family.smooth.penalty = candidate.penalty;
  recipe.family.kernel.width = recipe.family.query_width = candidate.width;
  recipe.shrinkage = candidate.shrinkage;
  recipe.dither = candidate.dither;
  return recipe;
}

/// Differs from [Lin14]: C is not printed there and stays "auto"; the ridge is what single
/// precision needs.  The kernel is that of KSH.
StructHashParams params_of(Preset preset) {
  switch (preset) {
    case Preset::standard:
      return {};
    case Preset::fast:
      return {.anchors = 500, .preset = preset};
    case Preset::paper:
      return {.functions = Functions::linear,
              .auc_share = 0.0,
              .scaled_cutoff = false,
              .whitening = false,
              .ridge = 1e-6,
              .penalty = 0.0,
              .width = 1.0,
              .shrinkage = 0.0,
              .dither = 0.0,
              .bootstrap = false,
              .random_duals = true,
              .anchors = 300,
              .self_response = 1.0,
              .random_starts = 10,
              .stump_start = true,
              .spectral_steps = 50,
              .iterations = 30,
              .refinement = 0,
              .preset = preset};
  }
  return {};
}

double rows_per_2000(Index rows) {
  return std::max(1.0, to_double(rows) / 2000.0);
}

Recipe resolve(const StructHashParams& params, const TrainingTraits& traits) {
  const bool kernel = params.functions == Functions::kernel;
  const double growth = kernel ? rows_per_2000(traits.rows) : 1.0;
  const double noisy_trade_off = kernel ? 10.0 * std::sqrt(growth) : LearnerParams{}.trade_off;
  const double trade_off = (traits.neighbours ? 10.0 : 1.0) * noisy_trade_off;
  const FamilyRecipe defaults = default_family(params.functions);
  const int iterations = iterations_for(traits.rows, defaults.smooth.max_iterations);
  const Index anchors = params.anchors.value_or(defaults.kernel.anchors);
  const bool refined = traits.labelled
                           ? params.functions == Functions::linear
                           : kSmoothFunctions.contains(params.functions) && !traits.neighbours;
  const int refinement = params.refinement.value_or(refined ? RefinementParams{}.iterations : 0);
  const Recipe recipe{
      .measure = params.measure,
      .auc_share = params.auc_share,
      .scaled_cutoff = params.scaled_cutoff,
      .class_weight = params.class_weight,
      .family = {.functions = params.functions,
                 .kernel = {.anchors = anchors, .self_response = params.self_response},
                 .tree = {.trees = params.trees},
                 .whitening = params.whitening,
                 .smooth = {.random_starts = params.random_starts,
                            .stump_start = params.stump_start,
                            .spectral_steps =
                                params.spectral_steps.value_or(defaults.smooth.spectral_steps),
                            .max_iterations = params.iterations.value_or(iterations),
                            .tolerance = params.tolerance}},
      .learner = {.bits = params.bits,
                  .mode = params.stage_wise ? TrainingMode::stage_wise
                                            : TrainingMode::totally_corrective,
                  .random_duals = params.random_duals,
                  .weights = {.gap = params.gap,
                              .max_planes_per_bit = params.max_planes,
                              .idle_bits = params.idle_bits}},
      .refinement = {.iterations = refinement, .lengths = params.refinement_lengths},
      .max_bootstrap_trade_off = max_bootstrap_trade_off(params, noisy_trade_off),
      .validation = params.validation};
  return recipe.with({.trade_off = params.trade_off.value_or(trade_off),
                      .ridge = params.ridge.value_or(defaults.ridge / growth),
                      .penalty = params.penalty.value_or(defaults.smooth.penalty),
                      .width = params.width.value_or(defaults.kernel.width),
                      .shrinkage = params.shrinkage.value_or(kernel || refinement > 0 ? 1.0 : 0.5),
                      .dither = params.dither.value_or(kernel && traits.classes ? 0.4 : 0.0)});
}

std::unique_ptr<RankingMeasure> training_measure(const Recipe& recipe, const TrainingSet& data,
                                                 const Shards& shards) {
  const double listed = recipe.scaled_cutoff ? listed_share(data, shards) : 1.0;
  const TrainingLoss loss{.listed = listed < kMinListedShare ? kLargeClassShare : listed,
                          .auc = recipe.auc_share};
  return make_training_measure(recipe.measure, loss);
}

ListTable make_list_table(const Recipe& recipe, const TrainingSet& data, const Shards& shards) {
  const auto measure = training_measure(recipe, data, shards);
  if (recipe.class_weight == ClassWeight::none) {
    return {data.lists, *measure, shards};
  }
  return {weighted_by_class(data.lists, data.labels, shards, recipe.class_weight), *measure,
          shards};
}

}  // namespace structhash
