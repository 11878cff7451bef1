#include "learner/recipe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learner/label_shares.hpp"
#include "ranking/training_loss.hpp"

namespace structhash {
namespace {

constexpr double kDitherBitsPerClass = 7.0;
constexpr double kUnlabelledShare = 0.1;  // of related pairs, where there are no labels to count

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
  recipe.family.ridge = candidate.ridge;
  recipe.family.smooth.penalty = candidate.penalty;
  recipe.family.kernel.width = candidate.width;
  recipe.shrinkage = candidate.shrinkage;
  recipe.dither = candidate.dither;
  return recipe;
}

double rows_per_2000(Index rows) {
  return std::max(1.0, to_double(rows) / 2000.0);
}

Recipe resolve(const StructHashParams& params, Index rows, bool labelled) {
  const bool kernel = params.functions == Functions::kernel;
  const double growth = kernel ? rows_per_2000(rows) : 1.0;
  const double trade_off = kernel ? 10.0 * std::sqrt(growth) : LearnerParams{}.trade_off;
  const FamilyRecipe defaults = default_family(params.functions);
  const Recipe recipe{
      .measure = params.measure,
      .auc_share = params.auc_share,
      .family = {.functions = params.functions,
                 .kernel = {.anchors = params.anchors, .self_response = params.self_response},
                 .tree = {.trees = params.trees},
                 .smooth = {.random_starts = params.random_starts,
                            .spectral_steps = params.spectral_steps,
                            .max_iterations = params.iterations,
                            .tolerance = params.tolerance}},
      .learner = {.bits = params.bits,
                  .mode = params.stage_wise ? TrainingMode::stage_wise
                                            : TrainingMode::totally_corrective,
                  .weights = {.gap = params.gap,
                              .max_planes_per_bit = params.max_planes,
                              .idle_bits = params.idle_bits}},
      .max_bootstrap_trade_off = max_bootstrap_trade_off(params, trade_off),
      .validation = params.validation};
  return recipe.with({.trade_off = params.trade_off.value_or(trade_off),
                      .ridge = params.ridge.value_or(defaults.ridge / growth),
                      .penalty = params.penalty.value_or(defaults.smooth.penalty),
                      .width = params.width.value_or(defaults.kernel.width),
                      .shrinkage = params.shrinkage.value_or(kernel ? 1.0 : 0.5),
                      .dither = params.dither.value_or(kernel && labelled ? 0.4 : 0.0)});
}

std::unique_ptr<RankingMeasure> training_measure(const Recipe& recipe, const TrainingSet& data,
                                                 const Shards& shards) {
  const TrainingLoss loss{.listed = listed_share(data, shards), .auc = recipe.auc_share};
  return make_training_measure(recipe.measure, loss);
}

Dither model_dither(double size, const TrainingSet& data, const Shards& shards, Seed seed) {
  if (size == 0.0) {
    return {};
  }
  const double share = data.labels.empty() ? kUnlabelledShare : related_share(data.labels, shards);
  return {.size = size,
          .bits = std::max(1.0, kDitherBitsPerClass * (1.0 / share - 1.0)),
          .seed = seed.fork("dither")};
}

}  // namespace structhash
