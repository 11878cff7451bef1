#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "learner/recipe.hpp"
#include "learner/structhash.hpp"
#include "learner/tiny_clusters.hpp"
#include "structhash/core/error.hpp"
#include "structhash/relevance/builders.hpp"
#include "support/expect_error.hpp"

namespace structhash {
namespace {

nlohmann::json described(const MethodOptions& options) {
  const HashModel model = make_structhash(options)->fit(clusters(), {.seed = Seed{1}});
  return nlohmann::json::parse(model.parameters);
}

TEST(Preset, PaperLeavesOutWhatThePaperHasNot) {
  const Recipe recipe = resolve(params_of(Preset::paper), {.rows = 2'000, .labelled = true});
  EXPECT_EQ(recipe.family.functions, Functions::linear);
  EXPECT_EQ(recipe.auc_share, 0.0);
  EXPECT_FALSE(recipe.scaled_cutoff);
  EXPECT_FALSE(recipe.family.whitening);
  EXPECT_EQ(recipe.family.smooth.penalty, 0.0);
  EXPECT_EQ(recipe.shrinkage, 0.0);
  EXPECT_EQ(recipe.dither, 0.0);
  EXPECT_FALSE(recipe.learner.bootstrap);
  EXPECT_TRUE(recipe.learner.random_duals);
  EXPECT_TRUE(recipe.family.smooth.stump_start);
  EXPECT_GT(recipe.family.smooth.random_starts, 0);
  EXPECT_EQ(recipe.family.kernel.anchors, 300);
  EXPECT_EQ(recipe.family.kernel.width, 1.0);
  EXPECT_EQ(recipe.family.kernel.self_response, 1.0);
  EXPECT_EQ(recipe.learner.mode, TrainingMode::totally_corrective);
}

TEST(Preset, PaperTrainsEveryKindOfFunctionsTheSameForTheSameSeed) {
  const TrainingSet data = clusters();
  for (const char* functions : {"", "linear", "kernel", "stump"}) {
    const auto hasher =
        make_structhash({.bits = 8, .functions = functions, .extra = {{"preset", "paper"}}});
    const HashModel model = hasher->fit(data, {.seed = Seed{1}, .threads = 2});
    EXPECT_GT(mean_average_precision(model, data), 0.7) << functions;
    EXPECT_EQ(hasher->fit(data, {.seed = Seed{1}, .threads = 1}), model);
    EXPECT_NE(hasher->fit(data, {.seed = Seed{2}, .threads = 1}), model);
  }
}

TEST(Preset, AnOptionBesideItReplacesItsValue) {
  const auto plain = described({.bits = 4, .extra = {{"preset", "paper"}}});
  EXPECT_EQ(plain["functions"], "linear");
  EXPECT_EQ(plain["options"]["auc_share"], 0.0);
  const auto given = described({.bits = 4,
                                .functions = "kernel",
                                .extra = {{"preset", "paper"},
                                          {"auc-share", "0.5"},
                                          {"whitening", "true"},
                                          {"ridge", "auto"},
                                          {"bootstrap", "auto"},
                                          {"anchors", "40"},
                                          {"dither", "auto"},
                                          {"random-duals", "false"}}});
  EXPECT_EQ(given["functions"], "kernel");
  EXPECT_EQ(given["options"]["preset"], "paper");
  EXPECT_EQ(given["options"]["auc_share"], 0.5);
  EXPECT_EQ(given["options"]["ridge"], "auto");
  EXPECT_EQ(given["chosen"]["anchors"], 40);
  EXPECT_EQ(given["chosen"]["dither"], 0.4);
  EXPECT_EQ(given["bootstrap"], true);
  EXPECT_EQ(given["options"]["penalty"], 0.0) << "of the preset still";
  test::expect_error(Errc::usage, "preset",
                     [] { make_structhash({.bits = 4, .extra = {{"preset", "papers"}}}); });
  test::expect_error(Errc::usage, "anchors", [] {
    make_structhash({.bits = 4, .extra = {{"preset", "paper"}, {"anchors", "40"}}});
  });
}

TEST(Preset, FastHasFewerAnchorsAndNothingElse) {
  StructHashParams fast = params_of(Preset::fast);
  EXPECT_EQ(resolve(fast, {.rows = 2'000}).family.kernel.anchors, 500);
  EXPECT_EQ(resolve(params_of(Preset::standard), {.rows = 2'000}).family.kernel.anchors, 2'000);
  for (const OptionInfo& option : structhash_options()) {
    EXPECT_EQ(option.presets.contains("fast"), option.name == "anchors") << option.name;
  }
}

TEST(Recipe, AScaledCutOffCanBeTurnedOff) {
  TrainingSet data = clusters(200);
  data.lists = lists_from_labels(data.labels, {}, Seed{1}, 1).lists;  // a quarter of a cluster
  StructHashParams params;
  const auto gain_of_rank_20 = [&] {
    const Recipe recipe = resolve(params, {.rows = data.x.rows(), .labelled = true});
    return training_measure(recipe, data, Shards(data.x.rows()))->gain(1, 19, 50, 50);
  };
  params.measure = "precision@40";
  params.auc_share = 0.0;
  EXPECT_EQ(gain_of_rank_20(), 0.0) << "counts as precision@10";
  params.scaled_cutoff = false;
  EXPECT_GT(gain_of_rank_20(), 0.0);
}

}  // namespace
}  // namespace structhash
