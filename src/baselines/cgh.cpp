#include "baselines/cgh.hpp"

#include "baselines/squared_hinge.hpp"
#include "hashing/families/make_family.hpp"
#include "learner/bit_weights.hpp"
#include "ranking/training_gains.hpp"

namespace structhash {
namespace {

FamilyRecipe family_recipe(const CghParams& params) {
  const WhitenedDefaults& defaults =
      params.functions == Functions::kernel ? kCghKernelDefaults : kLinearDefaults;
  return {.functions = params.functions,
          .kernel = {.width = defaults.width},
          .ridge = params.ridge.value_or(defaults.ridge),
          .smooth = {.penalty = params.penalty.value_or(defaults.penalty)}};
}

}  // namespace

/// min_{w >= 0}  ||w||_1 + C mean over lists, j, k of loss(2 (d(q, k) - d(q, j)))
///
/// for relevant j and irrelevant k.  With the hinge it is the problem that StructHash solves for
/// AUC, whose row oracle treats pairs one by one, so the same cutting planes solve it; the
/// squared hinge is smooth and solved in the primal.
HashModel fit_cgh(const TrainingSet& data, const CghParams& params, const FitContext& context) {
  check(data, Supervision::lists, context.threads);
  const auto family = make_family(data.x, family_recipe(params), context.seed, context.threads);
  const ListTable lists(data.lists, *make_measure("auc"), data.x.rows());
  const LearnedCode code = learn_with(
      params.loss == TripletLoss::hinge ? make_totally_corrective : make_squared_hinge, lists,
      *family, {.bits = params.bits, .trade_off = params.trade_off},
      {.seed = context.seed, .threads = context.threads, .on_progress = context.on_progress});
  nlohmann::json parameters = to_json(kCghOptions, params);
  parameters["C"] = code.trade_off;
  parameters["seed"] = context.seed.value;
  return {.method = "cgh",
          .parameters = parameters.dump(),
          .encoder = family->assemble(code.bits),
          .bit_weights = shrunk_weights(code.weights, params.shrinkage)};
}

}  // namespace structhash
