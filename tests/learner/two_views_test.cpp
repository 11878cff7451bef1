#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hashing/families/whitened.hpp"
#include "learner/structhash.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/core/error.hpp"
#include "structhash/relevance/builders.hpp"
#include "support/expect_error.hpp"
#include "support/random_forms.hpp"
#include "support/temporary_folder.hpp"
#include "support/tiny_datasets.hpp"

/// Queries of another kind than the items: two encoders, learned together (docs/adr/0033).
namespace structhash {
namespace {

using test::expect_error;

/// Items of ten columns and queries of six in the same four clusters, which overlap.
TrainingSet two_views() {
  const auto view = [](Seed seed, Index rows_per_cluster, Index dimension) {
    return test::gaussian_clusters(seed, {.clusters = 4,
                                          .rows_per_cluster = rows_per_cluster,
                                          .dimension = dimension,
                                          .separation = 1.5,
                                          .lists = false});
  };
  TrainingSet data = view(Seed{5}, 30, 10);
  TrainingSet queries = view(Seed{6}, 20, 6);
  data.labels = vstack(data.labels, queries.labels);
  data.queries = queries.x;
  data.lists = lists_from_labels(data.labels, {.items = data.x.rows()}, Seed{1}, 1).lists;
  return data;
}

MethodOptions twelve_bits(const char* functions) {
  return {.bits = 12, .measure = "map", .functions = functions, .extra = {}};
}

/// Precision of the nearest ten items, ties by row.
double precision(const HashModel& model, const TrainingSet& data) {
  const CodeMatrix items = encode(model, data.x, 1);
  const CodeMatrix queries = encode_queries(model, data.queries, 1);
  double relevant = 0.0;
  for (Index query = 0; query < queries.rows(); ++query) {
    std::vector<std::pair<Index, Index>> order;
    for (Index item = 0; item < items.rows(); ++item) {
      order.emplace_back(hamming(queries.row(query), items.row(item)), item);
    }
    std::ranges::sort(order);
    for (std::size_t i = 0; i < 10; ++i) {
      relevant += data.labels.related(data.x.rows() + query, order[i].second) ? 1.0 : 0.0;
    }
  }
  return relevant / (10.0 * to_double(queries.rows()));
}

/// The slow twin: one view over features that hold the zeros.
TEST(WhitenedFamily, TwoViewsAreOneBlockDiagonalSpace) {
  const TrainingSet data = two_views();
  const ResponseSpace items(data.x, Shards(data.x.rows()), 1);
  const ResponseSpace queries(data.queries, Shards(data.queries.rows()), 1);
  const WhitenedFamily family({{items, {.ridge = 0.1}}, {queries, {.ridge = 0.01}}}, {}, 1);
  const AffineMap item_map = soft_whitening(items.spectrum(), {.ridge = 0.1});
  const AffineMap query_map = soft_whitening(queries.spectrum(), {.ridge = 0.01});
  Matrix<float> z = Matrix<float>::Zero(data.rows(), item_map.outputs() + query_map.outputs());
  z.topLeftCorner(data.x.rows(), item_map.outputs()) = item_map.apply(data.x, 1);
  z.bottomRightCorner(data.queries.rows(), query_map.outputs()) = query_map.apply(data.queries, 1);
  const PairForm form = test::random_pairs(data.rows(), 2'000, Seed{3}).form(data.rows());
  const LearnedBit found = family.best(form, Seed{2}, 2);
  const LearnedBit expected = fit_smooth_bit(HalfMatrix(z), form, {}, Seed{2}, 1);
  EXPECT_EQ(found.signs, expected.signs);
  EXPECT_NEAR(found.edge, expected.edge, 1e-4 * expected.edge);

  const std::vector bits{found};
  const CodeMatrix item_codes = encode(family.assemble(bits, {}, 0), data.x, 1);
  const CodeMatrix query_codes = encode(family.assemble(bits, {}, 1), data.queries, 1);
  Index different = 0;  // the family rounds features to half precision
  for (Index row = 0; row < data.rows(); ++row) {
    const bool bit =
        row < data.x.rows() ? item_codes.bit(row, 0) : query_codes.bit(row - data.x.rows(), 0);
    different += bit == (found.signs[static_cast<std::size_t>(row)] > 0) ? 0 : 1;
  }
  EXPECT_LE(different, 1);
}

class TwoViews : public testing::TestWithParam<const char*> {};

TEST_P(TwoViews, RankItemsForQueriesAndAreTheSameForAnyNumberOfThreads) {
  const TrainingSet data = two_views();
  const auto hasher = make_structhash(twelve_bits(GetParam()));
  const HashModel one = hasher->fit(data, {.seed = Seed{1}, .threads = 1});
  ASSERT_TRUE(one.query_encoder);
  EXPECT_EQ(one.dimension(), 10);
  EXPECT_EQ(encoder_dimension(*one.query_encoder), 6);
  EXPECT_EQ(one.mean_magnitudes.size(), 12U);
  EXPECT_GT(precision(one, data), 0.8);  // four clusters: chance is 0.25
  EXPECT_EQ(hasher->fit(data, {.seed = Seed{1}, .threads = 3}), one);
  const auto chosen = nlohmann::json::parse(one.parameters)["chosen"];
  EXPECT_TRUE(chosen.contains("query_ridge"));
  EXPECT_EQ(chosen.contains("query_width"), GetParam() == std::string("kernel"));

  const HashModel first = truncate(one, 5);
  check(first);
  EXPECT_EQ(encoder_bits(*first.query_encoder), 5);
  const CodeMatrix all = encode_queries(one, data.queries, 1);
  const CodeMatrix cut = encode_queries(first, data.queries, 1);
  for (Index row = 0; row < cut.rows(); ++row) {
    for (Index bit = 0; bit < 5; ++bit) {
      EXPECT_EQ(cut.bit(row, bit), all.bit(row, bit));
    }
  }
}

TEST_P(TwoViews, ResumeFromACheckpoint) {
  TrainingSet data = two_views();
  const auto hasher = make_structhash(twelve_bits(GetParam()));
  const HashModel whole = hasher->fit(data, {.seed = Seed{1}});
  const test::TemporaryFolder folder;
  int reports = 5;
  FitContext context{.seed = Seed{1},
                     .on_progress = [&](const Progress&) { return reports-- > 0; },
                     .checkpoint = folder.file("checkpoint")};
  expect_error(Errc::interrupted, "", [&] { hasher->fit(data, context); });
  context.on_progress = nullptr;
  EXPECT_EQ(hasher->fit(data, context), whole);
  data.queries(0, 0) += 1.0F;
  expect_error(Errc::bad_data, "not the same", [&] { hasher->fit(data, context); });
}

/// Without labels there is nothing to choose a ridge by; lists are enough to train.
TEST_P(TwoViews, LearnFromListsAlone) {
  TrainingSet data = two_views();
  const Labels labels = std::exchange(data.labels, {});
  const HashModel model = make_structhash(twelve_bits(GetParam()))->fit(data, {.seed = Seed{1}});
  data.labels = labels;
  EXPECT_GT(precision(model, data), 0.8);
}

INSTANTIATE_TEST_SUITE_P(Functions, TwoViews, testing::Values("linear", "kernel"));

/// A view has its own scale: that of the other does not matter.
TEST(TwoViews, DoNotDependOnTheScaleOfAView) {
  TrainingSet data = two_views();
  const auto hasher = make_structhash(twelve_bits("linear"));
  const HashModel model = hasher->fit(data, {.seed = Seed{1}});
  data.queries *= 1024.0F;
  const HashModel scaled = hasher->fit(data, {.seed = Seed{1}});
  EXPECT_EQ(scaled.encoder, model.encoder);
  EXPECT_EQ(encode_queries(scaled, data.queries, 1),
            encode_queries(model, Matrix<float>(data.queries / 1024.0F), 1));
}

TEST(TwoViews, WhatCannotLearnThemIsRefusedByName) {
  TrainingSet data = two_views();
  const auto refused = [&](const std::string& words, MethodOptions options) {
    expect_error(Errc::usage, words,
                 [&] { make_structhash(options)->fit(data, {.seed = Seed{1}}); });
  };
  refused("tree functions learn one encoder", twelve_bits("tree"));
  refused("stump functions learn one encoder", twelve_bits("stump"));
  MethodOptions options = twelve_bits("linear");
  options.extra["tune"] = "true";
  refused("tune cannot be used with queries of another kind", options);
  options.extra = {{"stump-start", "true"}};
  refused("stump-start cannot be used", options);
  for (const MethodEntry& method : methods()) {
    if (method.name != "structhash") {
      expect_error(Errc::usage, "structhash learns two",
                   [&] { method.make({.bits = 8})->fit(data, {.seed = Seed{1}}); });
    }
  }
  data.queries(3, 1) = std::numeric_limits<float>::quiet_NaN();
  expect_error(Errc::bad_data, "query features: row 4, column 2 is nan",
               [&] { make_structhash(twelve_bits("linear"))->fit(data, {.seed = Seed{1}}); });
  data.queries = Matrix<float>::Constant(80, 6, 1e20F);
  expect_error(Errc::bad_data, "query features: the largest value",
               [&] { make_structhash(twelve_bits("linear"))->fit(data, {.seed = Seed{1}}); });
  data.queries = Matrix<float>::Zero(79, 6);
  expect_error(Errc::bad_data, "there are 200 for 199 rows",
               [&] { make_structhash(twelve_bits("linear"))->fit(data, {.seed = Seed{1}}); });
}

}  // namespace
}  // namespace structhash
