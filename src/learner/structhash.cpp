#include "learner/structhash.hpp"
#include "hashing/training_shards.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "learner/checkpoint.hpp"
#include "learner/selection.hpp"
#include "ranking/training_loss.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

using Json = nlohmann::json;  // keys in order of the alphabet: the same text when read back

class StructHash final : public Hasher {
 public:
  explicit StructHash(StructHashParams params) : params_(std::move(params)) { check(params_); }
  HashModel fit(const TrainingSet& data, const FitContext& context) const override {
    return fit_structhash(data, params_, context);
  }

 private:
  StructHashParams params_;
};

Json to_json(const ChosenParams& chosen, const StructHashParams& params) {
  Json json{{"trade_off", chosen.trade_off}, {"shrinkage", chosen.shrinkage}};
  if (params.functions == "linear" || params.functions == "kernel") {
    json["ridge"] = chosen.ridge;
    json["penalty"] = chosen.penalty;
    json["dither"] = chosen.dither;
  }
  if (params.functions == "kernel") {
    json["width"] = chosen.width;
    json["anchors"] = params.anchors;
    json["self_response"] = params.self_response;
  }
  return json;
}

/// One array per quantity: what a reader plots.
Json to_json(std::span<const BitLog> log) {
  Json json = Json::object();
  // Arrays from the start: the JSON library crashes if memory ends while a null becomes one.
  const auto add = [&](const char* name, const auto& value) {
    json.emplace(name, Json::array()).first->push_back(value);
  };
  for (const BitLog& bit : log) {
    add("edge", bit.edge);
    add("objective", bit.objective);
    add("gap", bit.objective - bit.bound);
    add("slack", bit.slack);
    add("violation", bit.violation);
    add("passes", bit.passes);
    add("planes", bit.planes);
    add("stop", bit.stop == Stop::converged ? "converged" : "plane limit");
  }
  return json;
}

std::string describe(const StructHashParams& params, const Selection& selection,
                     const LearnedCode& code, const Shards& shards, const FitContext& context) {
  Json trials = Json::array();
  for (const Trial& trial : selection.trials) {
    Json row = to_json(trial.params, params);
    row["score"] = trial.score;
    trials.push_back(std::move(row));
  }
  const auto nonzero = std::ranges::count_if(code.weights, [](double w) { return w > 0.0; });
  Json json{{"bits", params.learner.bits},
            {"measure", params.measure},
            {"auc_share", params.auc_share},
            {"functions", params.functions},
            {"mode",
             params.learner.mode == TrainingMode::stage_wise ? "stage-wise" : "totally-corrective"},
            {"bootstrap", uses_bootstrap(params, selection.chosen, shards.all_rows())},
            {"seed", context.seed.value},
            {"chosen", to_json(selection.chosen, params)},
            {"validation_queries", selection.validation_queries},
            {"trials", std::move(trials)},
            {"C", code.trade_off},
            {"nonzero_weights", nonzero},
            {"redrawn_bits", code.restarts},
            {"log", to_json(code.log)}};
  if (shards.cut()) {
    json["shards"] = shards.total();
  }
  return json.dump();
}

}  // namespace

void check(const StructHashParams& params) {
  make_training_measure(params.measure, {.auc = params.auc_share});
  check(params.learner);
  const auto positive = [](const std::optional<double>& value, const char* name) {
    require(!value || (std::isfinite(*value) && *value > 0.0),
            std::string(name) + " must be a positive number, or auto");
  };
  positive(params.ridge, "ridge");
  positive(params.width, "width");
  require(!params.penalty || (std::isfinite(*params.penalty) && *params.penalty >= 0.0),
          "penalty must be a number of at least 0, or auto");
  require(!params.trade_off || (std::isfinite(*params.trade_off) && *params.trade_off > 1.0),
          "trade-off must be greater than 1 (it is C over the smallest C that learns anything), "
          "or auto");
  require(!params.shrinkage || (*params.shrinkage >= 0.0 && *params.shrinkage <= 1.0),
          "shrinkage must lie between 0 and 1, or be auto");
  require(!params.dither || (std::isfinite(*params.dither) && *params.dither >= 0.0),
          "dither must be a number of at least 0, or auto");
  check(params.smooth);
  require(params.anchors >= 1, "anchors must be at least 1");
  require(params.self_response >= 0.0 && params.self_response <= 1.0,
          "self-response must lie between 0 and 1");
  require(params.validation > 0.0 && params.validation < 1.0,
          "validation must lie between 0 and 1");
}

HashModel fit_structhash(const TrainingSet& data, const StructHashParams& params,
                         const FitContext& context) {
  check(params);
  check(data, Supervision::lists);
  const Shards shards = shards_of(data, context);
  std::optional<Checkpoint> checkpoint;
  if (!context.checkpoint.empty()) {
    checkpoint.emplace(context.checkpoint, identity_of(data, shards, params, context.seed), shards);
  }
  Checkpoint* const kept = checkpoint ? &*checkpoint : nullptr;
  const auto measure = training_measure(params, data, shards);
  const Selection selection = choose_params(data, params, context, kept);
  const auto family =
      make_family(data.x, shards, params, selection.chosen, context.seed, context.threads);
  const ListTable lists(data.lists, *measure, shards);
  LearnerParams learner = params.learner;
  learner.bootstrap = uses_bootstrap(params, selection.chosen, shards.all_rows());
  learner.trade_off = selection.chosen.trade_off;
  const LearnedCode code =
      learn(lists, *family, learner, context.seed, context.threads, context.on_progress, kept);
  return {.method = "structhash",
          .parameters = describe(params, selection, code, shards, context),
          .encoder = family->assemble(
              code.bits, model_dither(selection.chosen.dither, data, shards, context.seed)),
          .bit_weights = shrunk_weights(code.weights, selection.chosen.shrinkage)};
}

std::unique_ptr<Hasher> make_structhash(const MethodOptions& options) {
  OptionReader reader("structhash", options);
  const auto optional_number = [&](std::string_view name) -> std::optional<double> {
    if (reader.text(name, "auto") == "auto") {
      return std::nullopt;
    }
    return reader.number(name, 0.0);
  };
  StructHashParams params;
  params.measure = reader.measure("ndcg@100");
  params.functions = reader.functions("linear");
  params.learner.bits = options.bits;
  params.trade_off = optional_number("trade-off");
  params.ridge = optional_number("ridge");
  params.penalty = optional_number("penalty");
  params.width = optional_number("width");
  params.shrinkage = optional_number("shrinkage");
  params.dither = optional_number("dither");
  params.auc_share = reader.number("auc-share", params.auc_share);
  params.anchors = reader.integer("anchors", params.anchors);
  params.self_response = reader.number("self-response", params.self_response);
  const auto count = [&](std::string_view name, int missing) {
    return static_cast<int>(reader.integer(name, missing));
  };
  params.smooth.random_starts = count("random-starts", params.smooth.random_starts);
  params.smooth.spectral_steps = count("spectral-steps", params.smooth.spectral_steps);
  params.smooth.max_iterations = count("iterations", params.smooth.max_iterations);
  params.validation = reader.number("validation", params.validation);
  params.learner.weights.gap = reader.number("gap", params.learner.weights.gap);
  if (reader.text("bootstrap", "auto") != "auto") {
    params.bootstrap = reader.flag("bootstrap", false);
  }
  if (reader.flag("stage-wise", false)) {
    params.learner.mode = TrainingMode::stage_wise;
  }
  reader.finish();
  return std::make_unique<StructHash>(std::move(params));
}

}  // namespace structhash
