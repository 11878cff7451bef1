#include "search/scan/flat_scan.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <limits>

#include "search/naive_scan.hpp"
#include "search/random_search.hpp"
#include "structhash/core/error.hpp"

namespace structhash::search {
namespace {

/// Runs `check` with every instruction set of this machine, and with none.
template <typename Check>
void with_every_target(const Check& check) {
  const auto use = [](std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  };
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    SCOPED_TRACE(hwy::TargetName(target));
    use(target);
    check();
    use(0);
  }
}

struct DrawnCase {
  CodeMatrix database;
  CodeMatrix queries;
  std::vector<float> weights;
  std::vector<std::uint64_t> allowed;
  Index k;
  int threads;
};

DrawnCase draw_case(std::uint64_t seed) {
  Rng rng(Seed{seed});
  const Index bits =
      pick({1, 7, 16, 32, 63, 64, 65, 100, 128, 192, 256, 320, 512, 1024, 1100}, rng);
  const Index rows = pick({0, 1, 2, 63, 64, 65, 511, 512, 513, 1024, 1500, 4000}, rng);
  const Index batch = pick({1, 2, 23, 31, 70, 200}, rng);
  DrawnCase drawn;
  const CodeMatrix centres = uniform_codes(1 + rng.below(8), bits, rng);
  drawn.queries = clustered_codes(batch, centres, 0.2, rng);
  drawn.database = rng.below(2) == 0 ? uniform_codes(rows, bits, rng)
                                     : clustered_codes(rows, centres, rng.uniform(), rng);
  drawn.weights = draw_weights(bits, static_cast<int>(rng.below(kWeightKinds)), rng);
  if (rng.below(3) == 0) {
    drawn.allowed = draw_allowed(rows, rng.uniform(), rng);
  }
  drawn.k = pick({1, 2, 10, 100, 700, 5000}, rng);
  drawn.threads = static_cast<int>(pick({1, 2, 3}, rng));
  return drawn;
}

/// Both kinds of search, plain and weighted, against the slow twin.
void expect_exact(const DrawnCase& drawn) {
  const SearchOptions options{.threads = drawn.threads, .allowed = drawn.allowed};
  for (const bool weighted : {false, true}) {
    SCOPED_TRACE(weighted ? "weighted" : "plain");
    const CodeDistance distance = weighted ? weighted_distance(drawn.weights) : plain_distance();
    const Neighbours all = naive_ranking(drawn.database, drawn.queries, distance, drawn.allowed);
    const Neighbours nearest = first_k(all, drawn.k);
    const float radius = nearest[0].empty() ? 1.0F : nearest[0].back().distance;
    const Neighbours within = within_radius(all, radius);
    with_every_target([&] {
      const auto engine =
          weighted ? make_flat_scan(drawn.database, drawn.weights) : make_flat_scan(drawn.database);
      ASSERT_EQ(engine->nearest(drawn.queries, drawn.k, options), nearest);
      ASSERT_EQ(engine->within(drawn.queries, radius, options), within);
    });
  }
}

TEST(FlatScan, EqualsTheNaiveScan) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const DrawnCase drawn = draw_case(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << drawn.database.rows() << " rows, "
                                    << drawn.database.bits() << " bits, batch "
                                    << drawn.queries.rows() << ", k " << drawn.k);
    expect_exact(drawn);
  }
}

/// Large enough for a sample and several rounds of tightening.
TEST(FlatScan, EqualsTheNaiveScanOfALargeDatabase) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(Seed{seed});
    const Index bits = pick({24, 64, 64, 128, 256}, rng);
    DrawnCase drawn;
    const CodeMatrix centres = uniform_codes(4, bits, rng);
    drawn.queries = clustered_codes(seed % 2 == 0 ? 30 : 3, centres, 0.3, rng);
    drawn.database = seed % 3 == 0 ? clustered_codes(40'123, centres, 0.4, rng)
                                   : uniform_codes(40'123, bits, rng);
    drawn.weights = draw_weights(bits, static_cast<int>(seed) % kWeightKinds, rng);
    if (seed % 4 == 3) {
      drawn.allowed = draw_allowed(drawn.database.rows(), seed == 3 ? 0.5 : 0.001, rng);
    }
    drawn.k = pick({1, 10, 100}, rng);
    drawn.threads = 2;
    expect_exact(drawn);
  }
}

/// The rows of the sample, every 64th, are all equal to the query and no others are near: the
/// guessed limit is 0 and lets too few rows through.
TEST(FlatScan, RecoversFromAGuessThatIsTooLow) {
  Rng rng(Seed{3});
  DrawnCase drawn;
  drawn.database = uniform_codes(64 * 512, 64, rng);
  drawn.queries = uniform_codes(40, 64, rng);
  for (Index row = 0; row < drawn.database.rows(); row += 64) {
    drawn.database.mutable_words()[static_cast<std::size_t>(row)] = drawn.queries.row(0)[0];
  }
  drawn.weights = draw_weights(64, 0, rng);
  drawn.k = 1000;
  drawn.threads = 1;
  expect_exact(drawn);
}

TEST(FlatScan, AnswersDoNotDependOnThreads) {
  Rng rng(Seed{9});
  const CodeMatrix database = uniform_codes(100'000, 64, rng);
  const CodeMatrix queries = uniform_codes(130, 64, rng);
  const auto engine = make_flat_scan(database, draw_weights(64, 0, rng));
  const Neighbours expected = engine->nearest(queries, 50, {});
  for (const int threads : {2, 3, 8}) {
    ASSERT_EQ(engine->nearest(queries, 50, {.threads = threads}), expected);
    ASSERT_EQ(engine->nearest(CodeSpan(queries.row(7), 1, 64), 50, {.threads = threads})[0],
              expected[7]);
  }
}

TEST(FlatScan, EmptyDatabaseAndNoQueriesGiveEmptyLists) {
  const CodeMatrix none(0, 64);
  const CodeMatrix two(2, 64);
  EXPECT_EQ(make_flat_scan(none)->nearest(two, 5, {}), Neighbours(2));
  EXPECT_EQ(make_flat_scan(none)->within(two, 5.0F, {}), Neighbours(2));
  EXPECT_TRUE(make_flat_scan(two)->nearest(none, 5, {}).empty());
  EXPECT_EQ(make_flat_scan(two)->nearest(two, 5, {})[0].size(), 2U);  // k > n
  EXPECT_EQ(make_flat_scan(two)->name(), "flat scan");
}

template <typename Call>
void expect_usage_error(const Call& call, const std::string& part) {
  try {
    call();
    FAIL() << "no error, expected: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::usage);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(FlatScan, RefusesBadInput) {
  const CodeMatrix codes(10, 64);
  const CodeMatrix longer(1, 65);
  const CodeMatrix query(1, 64);
  const auto engine = make_flat_scan(codes);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  expect_usage_error([&] { engine->nearest(longer, 1, {}); }, "65 bits, the codes 64");
  expect_usage_error([&] { engine->nearest(query, 0, {}); }, "k must be 1 or more, got 0");
  expect_usage_error([&] { engine->within(query, nan, {}); }, "radius must be 0 or more, got nan");
  expect_usage_error([&] { engine->within(query, -1.0F, {}); }, "radius must be 0 or more, got -1");
  expect_usage_error([&] { engine->nearest(query, 1, {.threads = 0}); }, "threads");
  const std::vector<std::uint64_t> bitmap(2);
  expect_usage_error([&] { engine->nearest(query, 1, {.threads = 1, .allowed = bitmap}); },
                     "bitmap of allowed rows has 2 words; 10 rows need 1");
  std::vector<float> weights(63, 1.0F);
  expect_usage_error([&] { make_flat_scan(codes, weights); }, "63 bit weights");
  weights.push_back(-1.0F);
  expect_usage_error([&] { make_flat_scan(codes, weights); }, "weight of bit 63 is -1");
  weights.back() = nan;
  expect_usage_error([&] { make_flat_scan(codes, weights); }, "weight of bit 63 is nan");
  expect_usage_error([&] { make_flat_scan(CodeSpan(codes.words(), 11, 64)); },
                     "11 codes of 64 bits need 11 words, got 10");
}

}  // namespace
}  // namespace structhash::search
