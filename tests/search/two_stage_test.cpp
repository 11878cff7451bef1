#include "search/two_stage.hpp"

#include <gtest/gtest.h>

#include "search/multi_index/multi_index.hpp"
#include "search/naive_scan.hpp"
#include "search/random_search.hpp"
#include "search/scan/flat_scan.hpp"
#include "support/expect_error.hpp"

namespace structhash::search {
namespace {

using test::expect_error;

TEST(TwoStage, IsExactWhenEveryCodeIsACandidate) {
  Rng rng(Seed{1});
  for (int kind = 0; kind < kWeightKinds; ++kind) {
    const CodeMatrix codes = clustered_codes(300, uniform_codes(5, 70, rng), 0.1, rng);
    const CodeMatrix queries = uniform_codes(3, 70, rng);
    const auto weights = draw_weights(70, kind, rng);
    const auto allowed = draw_allowed(300, 0.5, rng);
    const auto engine = make_two_stage(codes, weights, 300);
    const SearchOptions how{.threads = 2, .allowed = allowed};
    const Neighbours ranking = naive_ranking(codes, queries, weighted_distance(weights), allowed);
    EXPECT_EQ(engine->nearest(queries, 20, how), first_k(ranking, 20));
    EXPECT_EQ(engine->within(queries, 9.5F, how), within_radius(ranking, 9.5F));
  }
}

TEST(TwoStage, RanksTheCandidatesOfTheFirstStage) {
  Rng rng(Seed{2});
  const CodeMatrix codes = uniform_codes(500, 32, rng);
  const CodeMatrix queries = uniform_codes(4, 32, rng);
  const auto weights = draw_weights(32, 0, rng);
  const auto engine =
      make_two_stage(codes, weights, 50, make_multi_index(codes, {}, MultiIndexOptions{}));
  EXPECT_EQ(engine->name(), "two-stage");
  const WeightTable table(weights);
  const auto found = engine->nearest(queries, 10, {});
  const auto candidates = first_k(naive_ranking(codes, queries, plain_distance()), 50);
  for (std::size_t query = 0; query < 4; ++query) {
    auto expected = candidates[query];
    for (Neighbour& one : expected) {
      one.distance = table.distance(queries.row(static_cast<Index>(query)), codes.row(one.row));
    }
    std::ranges::sort(expected);
    expected.resize(10);
    EXPECT_EQ(found[query], expected);
  }
}

TEST(TwoStage, FullVectorsDecideInTheSecondStage) {
  // Squared distances of (1, 0) to the rows: 1, 0, 4, 5; inner products 0, 1, -1, 3.
  const Matrix<float> vectors{{0, 0}, {1, 0}, {-1, 0}, {3, 1}};
  const Matrix<float> query{{1, 0}};
  const VectorSource source = [&](Index row, std::span<float> out) {
    std::copy_n(vectors.row(row).data(), 2, out.begin());
  };
  const Neighbours candidates{{{0, 0}, {0, 1}, {1, 2}, {1, 3}}};
  EXPECT_EQ(rerank(candidates, query, source, VectorDistance::squared_l2, 3),
            (Neighbours{{{0, 1}, {1, 0}, {4, 2}}}));
  EXPECT_EQ(rerank(candidates, query, source, VectorDistance::negative_inner_product, 9),
            (Neighbours{{{-3, 3}, {-1, 1}, {0, 0}, {1, 2}}}));
}

TEST(TwoStage, BadArgumentsAreRefused) {
  const CodeMatrix codes(3, 8);
  const std::vector<float> weights(8, 1.0F);
  expect_error(Errc::usage, "candidates must be 1 or more, got 0",
               [&] { make_two_stage(codes, weights, 0); });
  expect_error(Errc::usage, "7 bit weights",
               [&] { make_two_stage(codes, std::span(weights).first(7), 2); });
  const auto engine = make_two_stage(codes, weights, 2);
  expect_error(Errc::usage, "k must be 1 or more, got 0", [&] { engine->nearest(codes, 0, {}); });
  expect_error(Errc::usage, "radius", [&] { engine->within(codes, -1, {}); });
  expect_error(Errc::usage, "16 bits", [&] { engine->nearest(CodeMatrix(1, 16), 1, {}); });
  expect_error(Errc::usage, "1 lists of candidates for 2 queries", [] {
    rerank(Neighbours(1), Matrix<float>::Zero(2, 3), {}, VectorDistance::squared_l2, 1);
  });
}

}  // namespace
}  // namespace structhash::search
