#include "learner/structhash.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "hashing/families/leave_one_out.hpp"
#include "learner/bit_weights.hpp"
#include "learner/tiny_clusters.hpp"
#include "learner/tuning/held_out_scores.hpp"
#include "learner/tuning/tuning.hpp"
#include "structhash/core/error.hpp"
#include "structhash/relevance/builders.hpp"
#include "support/expect_error.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

MethodOptions quick(const char* functions) {
  return {.bits = 8,
          .measure = "map",
          .functions = functions,
          .extra = {{"trade-off", "10"}, {"shrinkage", "0.5"}}};
}

class EveryFamily : public testing::TestWithParam<const char*> {};

TEST_P(EveryFamily, RanksClustersAndIsTheSameForAnyNumberOfThreads) {
  const TrainingSet data = clusters();
  const auto hasher = make_structhash(quick(GetParam()));
  const HashModel one = hasher->fit(data, {.seed = Seed{1}, .threads = 1});
  EXPECT_GT(mean_average_precision(one, data), 0.7);  // four clusters: chance is 0.25
  for (const int threads : {2, 4}) {
    EXPECT_EQ(hasher->fit(data, {.seed = Seed{1}, .threads = threads}), one);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, EveryFamily,
                         testing::Values("linear", "kernel", "stump", "tree"));

/// Kernel bits after the first are found on a bootstrap of the lists; linear ones only if asked.
TEST(StructHash, KernelBitsSeeABootstrapUnlessToldOtherwise) {
  const TrainingSet data = clusters();
  const auto model_of = [&](const char* functions, const char* bootstrap) {
    MethodOptions options = quick(functions);
    options.extra["ridge"] = options.extra["penalty"] = "0.3";
    if (options.functions == "kernel") {
      options.extra["width"] = "0.3";
    }
    if (bootstrap != nullptr) {
      options.extra["bootstrap"] = bootstrap;
    }
    return make_structhash(options)->fit(data, {.seed = Seed{1}, .threads = 2});
  };
  const auto expect_same = [](HashModel a, const HashModel& b) {
    a.parameters = b.parameters;  // which tell "auto" from a given value
    EXPECT_EQ(a, b);
  };
  expect_same(model_of("kernel", nullptr), model_of("kernel", "true"));
  expect_same(model_of("linear", nullptr), model_of("linear", "false"));
  const CodeMatrix with = encode(model_of("kernel", "true"), data.x, 1);
  const CodeMatrix without = encode(model_of("kernel", "false"), data.x, 1);
  EXPECT_FALSE(with == without);
  for (Index row = 0; row < with.rows(); ++row) {
    EXPECT_EQ(with.bit(row, 0), without.bit(row, 0));  // the first bit sets the scale of C
  }
}

/// A fifth of so few queries would tell candidates apart by luck alone.
TEST(StructHash, FewListsTakeTheDefaults) {
  const TrainingSet data = clusters(20);
  ASSERT_LT(data.lists.size(), 100U);
  const HashModel model = make_structhash({.bits = 6})->fit(data, {.seed = Seed{1}, .threads = 1});
  EXPECT_NE(model.parameters.find("\"trials\":[]"), std::string::npos) << model.parameters;
}

TEST(StructHash, ChoosesWhatIsLeftOpenAndSaysSo) {
  const TrainingSet data = clusters(40);
  const auto hasher = make_structhash({.bits = 6, .measure = "ndcg@10", .functions = "linear"});
  const HashModel model = hasher->fit(data, {.seed = Seed{1}, .threads = 2});
  for (const char* word :
       {"\"chosen\"", "\"trade_off\"", "\"ridge\"", "\"penalty\"", "\"shrinkage\"", "\"trials\"",
        "\"nonzero_weights\"", "\"objective\"", "\"gap\"", "\"violation\"", "\"stop\""}) {
    EXPECT_NE(model.parameters.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(model.bit_weights.size(), 6U);
}

/// Defaults, then tuning: what fit_structhash does before it learns.
Tuning tuning_of(const TrainingSet& data, const StructHashParams& params, int threads = 1) {
  const Shards shards(data.x.rows());
  const TrainingTraits traits{.rows = data.x.rows(), .labelled = !data.labels.empty()};
  const Recipe recipe = resolve(params, traits);
  const FitContext context{.seed = Seed{1}, .threads = threads};
  return tune(data, shards, recipe, search_space(params, recipe, traits), context, nullptr);
}

TEST(StructHash, AGivenValueIsNotChosen) {
  StructHashParams params;
  params.functions = Functions::linear;
  params.trade_off = 7.0;
  params.ridge = 0.5;
  params.penalty = 0.25;
  params.shrinkage = 1.0;
  const Tuning tuning = tuning_of(clusters(), params);
  EXPECT_TRUE(tuning.trials.empty());
  EXPECT_EQ(tuning.chosen.trade_off, 7.0);
  EXPECT_EQ(tuning.chosen.ridge, 0.5);
  EXPECT_EQ(tuning.chosen.penalty, 0.25);
  EXPECT_EQ(tuning.chosen.shrinkage, 1.0);
}

/// Short codes first; a value is trained on only while it is not clearly worse.
TEST(StructHash, TuningIsARaceOfGrowingCodes) {
  StructHashParams params;
  params.bits = 16;
  params.functions = Functions::linear;
  params.ridge = 0.02;
  params.shrinkage = 1.0;
  const Tuning tuning = tuning_of(clusters(40), params);
  ASSERT_GE(tuning.trials.size(), 7U);
  for (std::size_t i = 0; i < 3; ++i) {  // the defaults go all the way
    EXPECT_EQ(tuning.trials[i].candidate, tuning.trials[0].candidate);
    EXPECT_EQ(tuning.trials[i].bits, Index{4} << i);
  }
  Index bits = 0;
  for (const Trial& trial : tuning.trials) {
    bits += trial.bits == 4 ? 4 : trial.bits / 2;  // beyond the length before
  }
  EXPECT_LE(bits, 16 + 2 * 20 + 3 * 16) << "of two values of an axis one goes on at most";
  const Tuning with_threads = tuning_of(clusters(40), params, 3);
  EXPECT_EQ(with_threads.chosen, tuning.chosen);
  ASSERT_EQ(with_threads.trials.size(), tuning.trials.size());
  for (std::size_t i = 0; i < tuning.trials.size(); ++i) {
    EXPECT_EQ(with_threads.trials[i].score, tuning.trials[i].score);
  }
}

TEST(StructHash, TheModelHoldsItsOptions) {
  MethodOptions options = quick("kernel");
  options.extra["max-planes"] = "7";
  const HashModel model = make_structhash(options)->fit(clusters(20), {.seed = Seed{1}});
  const auto json = nlohmann::json::parse(model.parameters);
  EXPECT_EQ(json["options"]["max_planes"], 7);
  EXPECT_EQ(json["options"]["trade_off"], 10.0);
  EXPECT_EQ(json["options"]["width"], "auto");
  EXPECT_EQ(json["functions"], "kernel");
}

TEST(StructHash, EveryBitHasTheTreesThatWereAskedFor) {
  MethodOptions options = quick("tree");
  options.extra["trees"] = "3";
  const HashModel model = make_structhash(options)->fit(clusters(), {.seed = Seed{1}});
  const auto& encoder = std::get<TreeEncoder>(model.encoder);
  EXPECT_EQ(encoder.first_tree.back(), 3 * encoder.bits());
}

TEST(StructHash, OptionsThatTheFunctionsDoNotUseAreRefused) {
  const auto refuses = [](const char* functions, const char* name, const char* value) {
    MethodOptions options = quick(functions);
    options.extra[name] = value;
    test::expect_error(Errc::usage, name, [&] { make_structhash(options); });
  };
  refuses("linear", "width", "0.3");
  refuses("linear", "anchors", "100");
  refuses("stump", "ridge", "0.1");
  refuses("tree", "dither", "0.1");
}

TEST(StructHash, DitherGrowsWithTheBitsThatClassesCanSpare) {
  const auto bits_of = [](int classes) {
    Labels labels;
    for (int row = 0; row < 60; ++row) {
      labels.classes.push_back(row % classes);
    }
    return model_dither(0.4, labels, Shards(60), Seed{1}).bits;
  };
  EXPECT_NEAR(bits_of(10), 63.0, 1e-9);
  EXPECT_NEAR(bits_of(2), 7.0, 1e-9);
  EXPECT_NEAR(bits_of(60), 7.0 * 59.0, 1e-9);
  EXPECT_EQ(bits_of(1), 1.0) << "one class";
}

TEST(StructHash, KernelFunctionsAreDitheredWhereThereAreLabels) {
  StructHashParams params;
  params.functions = Functions::kernel;
  params.anchors = 40;
  params.bits = 8;
  TrainingSet data = clusters();
  const auto dither = [&] {
    const HashModel model = fit_structhash(data, params, {.seed = Seed{1}});
    return nlohmann::json::parse(model.parameters)["chosen"]["dither"].get<double>();
  };
  EXPECT_GT(dither(), 0.0);
  params.dither = 0.0;
  EXPECT_EQ(dither(), 0.0) << "given";
  params.dither.reset();
  data.labels = {};
  EXPECT_EQ(dither(), 0.0) << "lists alone";
}

/// A chessboard of small groups: functions of the usual width cannot tell black from white.
TrainingSet chessboard() {
  Rng rng(Seed{3});
  TrainingSet data{.x = Matrix<float>(800, 2), .labels = {}, .lists = {}};
  for (Index row = 0; row < data.x.rows(); ++row) {
    const auto group = static_cast<int>(row % 100);
    const int column = group % 10;
    const int line = group / 10;
    data.labels.classes.push_back((column + line) % 2);
    data.x(row, 0) = static_cast<float>(column + 0.1 * rng.normal());
    data.x(row, 1) = static_cast<float>(line + 0.1 * rng.normal());
  }
  data.lists = lists_from_labels(data.labels, {}, Seed{1}, 2).lists;
  return data;
}

TEST(StructHash, FindsTheWidthWhereTheUsualOneFails) {
  const TrainingSet data = chessboard();
  const KernelParams params{.anchors = 400};
  const auto width = [&](const TrainingSet& rows) {
    return auto_width(rows.x, AutoTargets(rows, Seed{1}), params, Seed{1}, 2);
  };
  EXPECT_LT(width(data), 0.05);
  EXPECT_EQ(width(clusters()), params.width) << "the default does as well as any";
  const HashModel model = fit_structhash(data, {.bits = 8, .anchors = 400}, {.seed = Seed{1}});
  EXPECT_LT(nlohmann::json::parse(model.parameters)["chosen"]["width"].get<double>(), 0.05);
}

TEST(StructHash, StopsBeforeATradeOffThatLearnsNothing) {
  EXPECT_EQ(next_beyond(10.0, 3.0, 1.0), std::nullopt) << ".9 is no C that learns anything";
  EXPECT_DOUBLE_EQ(next_beyond(30.0, 10.0, 1.0).value(), 10.0 / 3.0);
  EXPECT_DOUBLE_EQ(next_beyond(10.0, 30.0, 1.0).value(), 90.0);
  EXPECT_DOUBLE_EQ(next_beyond(0.25, 0.12, 0.0).value(), 0.12 * 0.48);
  EXPECT_EQ(next_beyond(10.0, 10.0, 1.0), std::nullopt);
}

TEST(StructHash, LargeTradeOffsTurnTheBootstrapOff) {
  StructHashParams params;
  params.functions = Functions::kernel;
  const auto bootstrap = [&](double trade_off, Index rows) {
    const Recipe recipe = resolve(params, {.rows = rows, .labelled = true});
    Candidate candidate = recipe.candidate();
    candidate.trade_off = trade_off;
    return recipe.with(candidate).learner.bootstrap;
  };
  EXPECT_TRUE(bootstrap(10.0, 2'000));
  EXPECT_FALSE(bootstrap(30.0, 2'000));
  EXPECT_TRUE(bootstrap(30.0, 18'000)) << "the default C of 18,000 rows";
  params.trade_off = 30.0;
  EXPECT_TRUE(bootstrap(30.0, 2'000)) << "given, not tuned";
  params.bootstrap = false;
  EXPECT_FALSE(bootstrap(10.0, 2'000));
  params.bootstrap.reset();
  params.functions = Functions::linear;
  EXPECT_FALSE(bootstrap(10.0, 2'000));
}

TEST(Recipe, KernelDefaultsFollowTheNumberOfRows) {
  StructHashParams params;
  params.functions = Functions::kernel;
  const auto with_rows = [&](Index rows) {
    return resolve(params, {.rows = rows, .labelled = true}).candidate();
  };
  const Candidate few = with_rows(500);
  const Candidate many = with_rows(8'000);
  EXPECT_DOUBLE_EQ(few.trade_off, 10.0);
  EXPECT_DOUBLE_EQ(many.trade_off, 20.0);
  EXPECT_DOUBLE_EQ(few.ridge, 6e-5);
  EXPECT_DOUBLE_EQ(many.ridge, 1.5e-5);
  EXPECT_EQ(resolve(params, {.rows = 500}).dither, 0.0);
  const Recipe neighbours = resolve(params, {.rows = 500, .neighbours = true});
  EXPECT_DOUBLE_EQ(neighbours.learner.trade_off, 100.0) << "lists without noise";
  EXPECT_FALSE(neighbours.learner.bootstrap);
  params.functions = Functions::linear;
  EXPECT_EQ(with_rows(500), with_rows(8'000));
}

TEST(ShrunkWeights, GoFromTheirOwnValuesToOne) {
  const std::vector<double> weights{0.0, 1.0, 3.0};  // mean 4/3
  EXPECT_EQ(shrunk_weights(weights, 1.0), (std::vector<float>{1.0F, 1.0F, 1.0F}));
  EXPECT_EQ(shrunk_weights(weights, 0.0), (std::vector<float>{0.0F, 0.75F, 2.25F}));
  EXPECT_EQ(shrunk_weights(std::vector{0.0, 0.0}, 0.3), (std::vector<float>{1.0F, 1.0F}));
}

TEST(StructHash, RefusesBadInput) {
  const TrainingSet good = clusters();
  const auto fit = [](const TrainingSet& data, const MethodOptions& options) {
    return make_structhash(options)->fit(data, {.seed = Seed{1}});
  };
  const auto refuses_option = [&](const char* name, const char* value) {
    MethodOptions options = quick("linear");
    options.extra[name] = value;
    EXPECT_THROW(fit(good, options), Error) << name << '=' << value;
  };
  refuses_option("trade-off", "0");
  refuses_option("trade-off", "-3");
  refuses_option("trade-off", "many");
  refuses_option("shrinkage", "1.5");
  refuses_option("dither", "-0.1");
  refuses_option("ridge", "0");
  refuses_option("penalty", "-1");
  refuses_option("trade-of", "3");
  EXPECT_THROW(fit(good, quick("cubic")), Error);
  MethodOptions unknown_measure = quick("linear");
  unknown_measure.measure = "ndgc@10";
  EXPECT_THROW(fit(good, unknown_measure), Error);

  TrainingSet no_lists = good;
  no_lists.lists.clear();
  EXPECT_THROW(fit(no_lists, quick("linear")), Error);
  TrainingSet constant = good;
  constant.x.setConstant(3.0F);
  EXPECT_THROW(fit(constant, quick("linear")), Error);
  EXPECT_THROW(fit(constant, quick("kernel")), Error);
  TrainingSet broken = good;
  broken.x(3, 2) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(fit(broken, quick("linear")), Error);
}

TEST(StructHash, OddTrainingSetsGiveFiniteModels) {
  TrainingSet one_relevant = clusters();
  for (RelevanceList& list : one_relevant.lists) {
    list.relevant.resize(1);
  }
  TrainingSet duplicates = clusters();
  duplicates.x.bottomRows(60) = duplicates.x.topRows(60).eval();
  TrainingSet constant_column = clusters();
  constant_column.x.col(2).setConstant(1e6F);
  TrainingSet tiny_scale = clusters();
  tiny_scale.x *= 1e-15F;
  for (const TrainingSet* data : {&one_relevant, &duplicates, &constant_column, &tiny_scale}) {
    for (const char* measure : {"precision@1000", "mrr"}) {  // K beyond the list: clamped
      MethodOptions options = quick("linear");
      options.measure = measure;
      options.bits = 40;  // more bits than ten dimensions and four clusters need
      const HashModel model = make_structhash(options)->fit(*data, {.seed = Seed{1}});
      EXPECT_NO_THROW(check(model));
      EXPECT_GT(mean_average_precision(model, *data), 0.2);
    }
  }
}

}  // namespace
}  // namespace structhash
