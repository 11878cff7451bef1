#include "learner/structhash.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hashing/training_shards.hpp"
#include "learner/bit_weights.hpp"
#include "learner/checkpoint.hpp"
#include "learner/leave_one_out.hpp"
#include "learner/recipe.hpp"
#include "learner/tuning/tuning.hpp"
#include "ranking/training_loss.hpp"

namespace structhash {
namespace {

using SortedJson = nlohmann::json;  // sorted keys: the same text when read back

constexpr double kMinTuningLists = 100.0;  // a fifth of fewer cannot tell candidates apart

class StructHash final : public Hasher {
 public:
  explicit StructHash(StructHashParams params) : params_(std::move(params)) { check(params_); }
  HashModel fit(const TrainingSet& data, const FitContext& context) const override {
    return fit_structhash(data, params_, context);
  }

 private:
  StructHashParams params_;
};

SortedJson to_json(const Candidate& chosen, const StructHashParams& params) {
  SortedJson json{{"trade_off", chosen.trade_off}, {"shrinkage", chosen.shrinkage}};
  if (kSmoothFunctions.contains(params.functions)) {
    json["ridge"] = chosen.ridge;
    json["penalty"] = chosen.penalty;
    json["dither"] = chosen.dither;
  }
  if (params.functions == Functions::kernel) {
    json["width"] = chosen.width;
    json["anchors"] = params.anchors;
    json["self_response"] = params.self_response;
  }
  return json;
}

/// One array per quantity: what a reader plots.
SortedJson to_json(std::span<const BitLog> log) {
  SortedJson json = SortedJson::object();
  // Arrays from the start: the JSON library crashes if memory ends while a null becomes one.
  const auto add = [&](const char* name, const auto& value) {
    json.emplace(name, SortedJson::array()).first->push_back(value);
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

std::string describe(const StructHashParams& params, const Tuning& tuning, const Recipe& recipe,
                     const LearnedCode& code, const Shards& shards, Seed seed) {
  SortedJson trials = SortedJson::array();
  for (const Trial& trial : tuning.trials) {
    SortedJson row = to_json(trial.candidate, params);
    row["score"] = trial.score;
    trials.push_back(std::move(row));
  }
  const auto nonzero = std::ranges::count_if(code.weights, [](double w) { return w > 0.0; });
  SortedJson json{{"bits", params.bits},
                  {"measure", params.measure},
                  {"auc_share", params.auc_share},
                  {"functions", name_of(params.functions)},
                  {"mode", params.stage_wise ? "stage-wise" : "totally-corrective"},
                  {"bootstrap", recipe.learner.bootstrap},
                  {"seed", seed.value},
                  {"options", to_json(kStructHashOptions, params)},
                  {"chosen", to_json(tuning.chosen, params)},
                  {"validation_queries", tuning.validation_queries},
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

std::unique_ptr<Checkpoint> open_checkpoint(const TrainingSet& data, const Shards& shards,
                                            const StructHashParams& params,
                                            const FitContext& context) {
  return context.checkpoint.empty()
             ? nullptr
             : std::make_unique<Checkpoint>(
                   context.checkpoint, identity_of(data, shards, params, context.seed), shards);
}

bool has_lists_to_tune(const TrainingSet& data, const Shards& shards) {
  const auto count = [&](Index shard, std::span<double> part) {
    part[0] = shard == 0 ? to_double(std::ssize(data.lists)) : 0.0;  // of all shards here
  };
  return shards.sum(1, count)[0] >= kMinTuningLists;
}

/// Kernel functions with labels need no trials for the ridge (docs/adr/0020).
bool has_closed_form_ridge(const TrainingSet& data, const StructHashParams& params,
                           const Shards& shards) {
  return params.functions == Functions::kernel && !params.ridge && !data.labels.empty() &&
         !shards.cut();
}

LearnContext learn_context(const FitContext& context, Checkpoint* checkpoint) {
  LearnContext learning{
      .seed = context.seed, .threads = context.threads, .on_progress = context.on_progress};
  if (checkpoint != nullptr) {
    learning.resume = checkpoint->learner();
    learning.on_bit = [checkpoint](LearnerState state) { checkpoint->set(std::move(state)); };
  }
  return learning;
}

}  // namespace

void check(const StructHashParams& params) {
  check_options(kStructHashOptions, params);
  make_training_measure(params.measure, {.auc = params.auc_share});
}

HashModel fit_structhash(const TrainingSet& data, const StructHashParams& params,
                         const FitContext& context) {
  check(params);
  check(data, Supervision::lists);
  const Shards shards = shards_of(data, context);
  const auto checkpoint = open_checkpoint(data, shards, params, context);
  const bool labelled = !data.labels.empty();
  Recipe recipe = resolve(params, shards.all_rows(), labelled);

  FamilyFactory families(data.x, shards, context.seed);
  Tuning tuning{.chosen = recipe.candidate()};
  if (has_lists_to_tune(data, shards)) {
    const bool closed_form = has_closed_form_ridge(data, params, shards);
    if (closed_form) {
      families.prepare(std::span(&recipe.family, 1), context.threads);
      recipe.family.ridge =
          leave_one_out_ridge(families.space(recipe.family), data.labels, context.threads);
    }
    const SearchSpace space =
        search_space(params, recipe,
                     {.rows = shards.all_rows(), .labelled = labelled, .ridge_known = closed_form});
    tuning = tune(data, shards, recipe, space, context, checkpoint.get());
    recipe = recipe.with(tuning.chosen);
  }

  families.prepare(std::span(&recipe.family, 1), context.threads);
  const auto family = families.make(recipe.family, context.threads);
  families.prepare({}, context.threads);  // frees the features: the family holds the whitened ones
  const ListTable lists(data.lists, *training_measure(recipe, data, shards), shards);
  const LearnedCode code =
      learn(lists, *family, recipe.learner, learn_context(context, checkpoint.get()));
  const Dither dither = model_dither(recipe.dither, data, shards, context.seed);
  return {.method = "structhash",
          .parameters = describe(params, tuning, recipe, code, shards, context.seed),
          .encoder = assemble(*family, code.bits, dither),
          .bit_weights = shrunk_weights(code.weights, recipe.shrinkage)};
}

std::unique_ptr<Hasher> make_structhash(const MethodOptions& options) {
  return std::make_unique<StructHash>(
      read_options<StructHashParams>("structhash", kStructHashOptions, options));
}

std::vector<OptionInfo> structhash_options() {
  return describe_options<StructHashParams>(kStructHashOptions);
}

}  // namespace structhash
