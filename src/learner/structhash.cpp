#include "learner/structhash.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hashing/adaptive.hpp"
#include "hashing/families/leave_one_out.hpp"
#include "hashing/training_shards.hpp"
#include "learner/bit_weights.hpp"
#include "learner/checkpoint.hpp"
#include "learner/recipe.hpp"
#include "learner/refinement.hpp"
#include "learner/tuning/tuning.hpp"
#include "ranking/training_loss.hpp"

namespace structhash {
namespace {

using SortedJson = nlohmann::json;  // sorted keys: the same text when read back

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
    constexpr std::array kStops{"converged", "plane limit", "no progress"};
    add("stop", kStops.at(static_cast<std::size_t>(bit.stop)));
  }
  return json;
}

/// Throws if two encoders cannot be learned with these parameters.
void check_two_views(const StructHashParams& params, const Shards& shards) {
  require(kSmoothFunctions.contains(params.functions),
          fmt::format("queries of another kind need linear or kernel functions; {} functions learn "
                      "one encoder for items and queries",
                      name_of(params.functions)));
  require(!params.tune, "tune cannot be used with queries of another kind; leave it out");
  require(!shards.cut(), "rows cut into shards cannot have queries of another kind; use one shard");
}

/// `width: auto`, for each kind of rows by itself.
void choose_widths(FamilyRecipe& family, const TrainingSet& data, const FitContext& context) {
  const AutoTargets targets(data, context.seed);
  if (data.two_views()) {
    family.query_width = auto_width(data.queries, targets.of({data.x.rows(), data.rows()}),
                                    family.kernel, context.seed.fork("queries"), context.threads);
  }
  family.kernel.width = auto_width(data.x, targets.of({0, data.x.rows()}), family.kernel,
                                   context.seed, context.threads);
}

/// `ridge: auto`, likewise.
void choose_ridges(FamilyRecipe& family, const FamilyFactory& families, const TrainingSet& data,
                   const FitContext& context) {
  const AutoTargets targets(data, context.seed);
  const double rule = family.ridge;
  const auto ridge = [&](Index view, const AutoTargets& own) {
    return auto_whitening_ridge(families.space(family, view), own, family.functions, rule,
                                context.threads);
  };
  family.ridge = ridge(0, targets.of({0, data.x.rows()}));
  if (data.two_views()) {
    family.query_ridge = ridge(1, targets.of({data.x.rows(), data.rows()}));
  }
}

std::string describe(const StructHashParams& params, const Tuning& tuning, const Recipe& recipe,
                     const LearnedCode& code, const Shards& shards, Seed seed, bool two_views) {
  SortedJson trials = SortedJson::array();
  for (const Trial& trial : tuning.trials) {
    SortedJson row = to_json(trial.candidate, params);
    row["bits"] = trial.bits;
    row["score"] = trial.score;
    trials.push_back(std::move(row));
  }
  SortedJson chosen = to_json(tuning.chosen, params);
  if (params.functions == Functions::kernel) {
    chosen["anchors"] = recipe.family.kernel.anchors;
  }
  if (two_views) {
    chosen["query_ridge"] = recipe.family.query_ridge;
    if (params.functions == Functions::kernel) {
      chosen["query_width"] = recipe.family.query_width;
    }
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
                  {"chosen", std::move(chosen)},
                  {"validation_queries", tuning.validation_queries},
                  {"trials", std::move(trials)},
                  {"C", code.trade_off},
                  {"nonzero_weights", nonzero},
                  {"redrawn_bits", code.restarts},
                  {"refined", code.refined},
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

LearnContext learn_context(const FitContext& context, Index bits, Checkpoint* checkpoint) {
  LearnContext learning{
      .seed = context.seed, .threads = context.threads, .on_progress = context.on_progress};
  if (checkpoint != nullptr) {
    learning.resume = checkpoint->learner();
    learning.on_bit = [checkpoint, bits, every = context.checkpoint_every_bit](LearnerState state) {
      if (every || std::ssize(state.code.bits) == bits) {
        checkpoint->set(std::move(state));
      }
    };
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
  check(data, Supervision::lists, context.threads, /*two_encoders=*/true);
  check_class_weight(params.class_weight, data.labels);
  const Shards shards = shards_of(data, context);
  if (data.two_views()) {
    check_two_views(params, shards);
  }
  const auto checkpoint = open_checkpoint(data, shards, params, context);
  const TrainingTraits traits{
      .rows = data.two_views() ? std::max(data.x.rows(), data.queries.rows()) : shards.all_rows(),
      .labelled = !data.labels.empty(),
      .classes = !data.labels.classes.empty(),
      .neighbours = !data.reach.empty()};
  Recipe recipe = resolve(params, traits);

  if (params.functions == Functions::kernel && !params.width && !shards.cut()) {
    choose_widths(recipe.family, data, context);
  }
  FamilyFactory families(data.x, shards, context.seed, data.two_views() ? &data.queries : nullptr);
  families.prepare(std::span(&recipe.family, 1), context.threads);
  if (kSmoothFunctions.contains(params.functions) && !params.ridge) {
    choose_ridges(recipe.family, families, data, context);
  }
  Tuning tuning{.chosen = recipe.candidate()};
  if (params.tune) {
    tuning =
        tune(data, shards, recipe, search_space(params, recipe, traits), context, checkpoint.get());
    recipe = recipe.with(tuning.chosen);
    families.prepare(std::span(&recipe.family, 1), context.threads);
  }

  const auto family = families.make(recipe.family, context.threads);
  families.prepare({}, context.threads);  // frees the features: the family holds the whitened ones
  const ListTable lists = make_list_table(recipe, data, shards);
  LearnedCode code =
      learn(lists, *family, recipe.learner, learn_context(context, params.bits, checkpoint.get()));
  const std::vector<float> weights = shrunk_weights(code.weights, recipe.shrinkage);
  if (const WhitenedFamily* whitened = as_whitened(*family)) {
    code = refine(std::move(code), lists, *whitened, weights, recipe.refinement, context.threads);
  }
  const Dither dither = model_dither(recipe.dither, data.labels, shards, context.seed);
  HashModel model{
      .method = "structhash",
      .parameters = describe(params, tuning, recipe, code, shards, context.seed, data.two_views()),
      .encoder = assemble(*family, code.bits, dither),
      .bit_weights = weights};
  if (data.two_views()) {
    model.query_encoder = assemble(*family, code.bits, dither, 1);
    model.mean_magnitudes = mean_magnitudes(*model.query_encoder, data.queries,
                                            Shards(data.queries.rows()), context.threads);
  } else {
    model.mean_magnitudes = mean_magnitudes(model.encoder, data.x, shards, context.threads);
  }
  return model;
}

std::unique_ptr<Hasher> make_structhash(const MethodOptions& options) {
  Preset preset{};
  const auto given = options::all_given(options);
  if (const std::string* name = options::find(given, "preset")) {
    options::read(*name, kPresets, preset);  // a wrong name is refused with the other options
  }
  return std::make_unique<StructHash>(
      read_options("structhash", kStructHashOptions, options, params_of(preset)));
}

std::vector<OptionInfo> structhash_options() {
  std::vector<OptionInfo> described = describe_options<StructHashParams>(kStructHashOptions);
  for (const auto& [name, preset] : kPresets.names) {
    const auto others = describe_options(kStructHashOptions, params_of(preset));
    for (std::size_t i = 0; i < described.size(); ++i) {
      if (described[i].name != "preset" && others[i].default_value != described[i].default_value) {
        described[i].presets.emplace(name, others[i].default_value);
      }
    }
  }
  return described;
}

}  // namespace structhash
