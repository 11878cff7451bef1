#include "baselines/cgh.hpp"

#include "baselines/squared_hinge.hpp"
#include "hashing/families/leave_one_out.hpp"
#include "hashing/families/make_family.hpp"
#include "hashing/families/whitened.hpp"
#include "learner/bit_weights.hpp"
#include "ranking/training_gains.hpp"

namespace structhash {
namespace {

/// Width and ridge as StructHash chooses them.
FamilyRecipe choose_family(const TrainingSet& data, const CghParams& params,
                           const FitContext& context, FamilyFactory& families) {
  const FeatureParams& features = params.features;
  FamilyRecipe recipe = default_family(features.functions);
  const AutoTargets targets(data, context.seed);
  recipe.kernel = choose_kernel(data.x, targets, features, context);
  recipe.smooth.penalty = params.penalty.value_or(recipe.smooth.penalty);
  recipe.ridge = features.ridge.value_or(recipe.ridge);
  families.prepare(std::span(&recipe, 1), context.threads);
  if (kSmoothFunctions.contains(features.functions) && !features.ridge) {
    recipe.ridge = auto_whitening_ridge(families.space(recipe), targets, features.functions,
                                        recipe.ridge, context.threads);
  }
  return recipe;
}

}  // namespace

/// min_{w >= 0}  ||w||_1 + C mean over lists, j, k of loss(2 (d(q, k) - d(q, j)))
///
/// for relevant j and irrelevant k.  With the hinge it is the problem that StructHash solves for
/// AUC, whose row oracle treats pairs one by one, so the same cutting planes solve it; the
/// squared hinge is smooth and solved in the primal.
HashModel fit_cgh(const TrainingSet& data, const CghParams& params, const FitContext& context) {
  check(data, Supervision::lists, context.threads);
  const Shards shards(data.x.rows());
  FamilyFactory families(data.x, shards, context.seed);
  const FamilyRecipe recipe = choose_family(data, params, context, families);
  const auto family = families.make(recipe, context.threads);
  families.prepare({}, context.threads);  // frees the features
  const ListTable lists(data.lists, *make_measure("auc"), data.x.rows());
  const LearnedCode code = learn_with(
      params.loss == TripletLoss::hinge ? make_totally_corrective : make_squared_hinge, lists,
      *family, {.bits = params.bits, .trade_off = params.trade_off},
      {.seed = context.seed, .threads = context.threads, .on_progress = context.on_progress});
  nlohmann::json parameters = to_json(kCghOptions, params);
  parameters["C"] = code.trade_off;
  parameters["seed"] = context.seed.value;
  if (kSmoothFunctions.contains(params.features.functions)) {
    parameters["chosen"]["ridge"] = recipe.ridge;
  }
  if (params.features.functions == Functions::kernel) {
    parameters["chosen"]["width"] = recipe.kernel.width;
  }
  return {
      .method = "cgh",
      .parameters = parameters.dump(),
      .encoder = assemble(*family, code.bits,
                          model_dither(params.features.dither, data.labels, shards, context.seed)),
      .bit_weights = shrunk_weights(code.weights, params.shrinkage)};
}

}  // namespace structhash
