#include "baselines/cgh.hpp"

#include <cmath>

#include "baselines/function_hasher.hpp"
#include "baselines/squared_hinge.hpp"
#include "learner/selection.hpp"
#include "ranking/training_gains.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

std::unique_ptr<HashFamily> make_functions(const MatrixView& x, const CghParams& params,
                                           const FitContext& context) {
  const bool kernel = params.functions == "kernel";
  const auto or_default = [](double value, double missing) {
    return value > 0.0 ? value : missing;
  };
  const StructHashParams family{.functions = params.functions};
  const ChosenParams chosen{.ridge = or_default(params.ridge, kernel ? 1e-4 : 0.02),
                            .penalty = or_default(params.penalty, kernel ? 0.3 : 0.2),
                            .width = 0.35};
  return make_family(x, family, chosen, context.seed, context.threads);
}

}  // namespace

void check(const CghParams& params) {
  require(params.bits >= 1, "cgh: bits must be at least 1");
  require(params.loss == "hinge" || params.loss == "squared-hinge",
          "cgh: loss must be hinge or squared-hinge, not '" + params.loss + "'");
  require(
      params.trade_off > 1.0 && std::isfinite(params.trade_off),
      "cgh: trade-off must be greater than 1 (it is C over the smallest C that learns anything)");
  require(params.ridge >= 0.0 && std::isfinite(params.ridge) && params.penalty >= 0.0 &&
              std::isfinite(params.penalty),
          "cgh: ridge and penalty must be numbers of at least 0");
  require(params.shrinkage >= 0.0 && params.shrinkage <= 1.0,
          "cgh: shrinkage must lie between 0 and 1");
}

/// min_{w >= 0}  ||w||_1 + C mean over lists, j, k of loss(2 (d(q, k) - d(q, j)))
///
/// for relevant j and irrelevant k.  With the hinge it is the problem that StructHash solves for
/// AUC, whose row oracle looks at pairs one by one, so the same cutting planes solve it; the
/// squared hinge is smooth and solved in the primal.
HashModel fit_cgh(const TrainingSet& data, const CghParams& params, const FitContext& context) {
  check(params);
  check(data, Supervision::lists, context.threads);
  const auto measure = make_measure("auc");
  const auto family = make_functions(data.x, params, context);
  const ListTable lists(data.lists, *measure, data.x.rows());
  const LearnerParams learner{.bits = params.bits, .trade_off = params.trade_off};
  const LearnedCode code =
      learn_with(params.loss == "hinge" ? make_totally_corrective : make_squared_hinge, lists,
                 *family, learner, context.seed, context.threads, context.on_progress);
  const nlohmann::json parameters{
      {"bits", params.bits},           {"loss", params.loss},   {"functions", params.functions},
      {"trade_off", params.trade_off}, {"ridge", params.ridge}, {"penalty", params.penalty},
      {"shrinkage", params.shrinkage}, {"C", code.trade_off},   {"seed", context.seed.value}};
  return {.method = "cgh",
          .parameters = parameters.dump(),
          .encoder = family->assemble(code.bits, {}),
          .bit_weights = shrunk_weights(code.weights, params.shrinkage)};
}

std::unique_ptr<Hasher> make_cgh(const MethodOptions& options) {
  OptionReader reader("cgh", options);
  CghParams params{.bits = options.bits};
  params.functions = reader.functions(params.functions);
  params.loss = reader.text("loss", params.loss);
  params.trade_off = reader.number("trade-off", params.trade_off);
  params.ridge = reader.number("ridge", params.ridge);
  params.penalty = reader.number("penalty", params.penalty);
  params.shrinkage = reader.number("shrinkage", params.shrinkage);
  reader.finish();
  return make_hasher(params, fit_cgh);
}

}  // namespace structhash
