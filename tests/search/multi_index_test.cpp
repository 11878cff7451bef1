#include "search/multi_index/multi_index.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "search/naive_scan.hpp"
#include "search/random_search.hpp"
#include "support/expect_error.hpp"

namespace structhash::search {
namespace {

using test::expect_error;

constexpr double kNeverScan = 1e9;

struct Case {
  CodeMatrix codes;
  CodeMatrix queries;
  std::vector<float> weights;
  MultiIndexOptions options;
};

Case draw_case(Rng& rng) {
  const Index bits = rng.uniform() < 0.3 ? 64 : 8 + rng.below(249);
  const Index rows = rng.uniform() < 0.2 ? rng.below(4) : rng.below(3000);
  const double flip =
      std::vector<double>{0.0, 0.02, 0.1, 0.5}[static_cast<std::size_t>(rng.below(4))];
  Case one;
  one.codes = clustered_codes(rows + 4, uniform_codes(1 + rng.below(30), bits, rng), flip, rng);
  const auto words = one.codes.words();
  const auto cut = static_cast<std::ptrdiff_t>(4 * one.codes.words_per_code());
  one.queries = CodeMatrix(4, bits, {words.begin(), words.begin() + cut});
  one.codes = CodeMatrix(rows, bits, {words.begin() + cut, words.end()});
  one.weights = rng.uniform() < 0.4
                    ? std::vector<float>{}
                    : draw_weights(bits, static_cast<int>(rng.below(kWeightKinds)), rng);
  const Index fewest = (bits + 11) / 12;  // substrings of at most 12 bits
  one.options = {.substrings = rng.uniform() < 0.5 ? 0 : fewest + rng.below(bits / 4),
                 .patience = rng.uniform() < 0.8 ? kNeverScan : 1.0,
                 .threads = 1};
  one.options.substrings = std::min(one.options.substrings, bits);
  return one;
}

CodeDistance distance_of(const std::vector<float>& weights) {
  return weights.empty() ? plain_distance() : weighted_distance(weights);
}

TEST(MultiIndex, EqualsTheNaiveScanBitForBit) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(Seed{seed});
    const Case one = draw_case(rng);
    const CodeDistance distance = distance_of(one.weights);
    const auto engine = make_multi_index(one.codes, one.weights, one.options);
    const std::vector<std::uint64_t> bitmap =
        rng.uniform() < 0.5 ? std::vector<std::uint64_t>{}
                            : draw_allowed(one.codes.rows(), rng.uniform(), rng);
    const SearchOptions how{.threads = 1 + static_cast<int>(rng.below(2)), .allowed = bitmap};
    const Index k = 1 + rng.below(rng.uniform() < 0.5 ? 10 : 200);
    const Neighbours ranking = naive_ranking(one.codes, one.queries, distance, bitmap);
    ASSERT_EQ(engine->nearest(one.queries, k, how), first_k(ranking, k));
    // Radii that are exactly one of the distances, and ones just below.
    for (const double share : {0.0, 0.02, 0.3}) {
      const auto& list = ranking.front();
      const auto at = static_cast<std::size_t>(share * static_cast<double>(list.size()));
      const float radius = list.empty() ? 3.0F : list[at].distance;
      ASSERT_EQ(engine->within(one.queries, radius, how), within_radius(ranking, radius));
      const float below = std::nextafter(radius, 0.0F);
      ASSERT_EQ(engine->within(one.queries, below, how), within_radius(ranking, below));
    }
  }
}

TEST(MultiIndex, ManyNeighboursOfManyThousandCodes) {
  Rng rng(Seed{3});
  const CodeMatrix codes = clustered_codes(30'000, uniform_codes(40, 64, rng), 0.08, rng);
  const CodeMatrix queries = uniform_codes(10, 64, rng);
  const auto engine = make_multi_index(codes, {}, {.substrings = 4, .patience = 1.0, .threads = 2});
  const Neighbours ranking = naive_ranking(codes, queries, plain_distance());
  for (const Index k : {1, 100, 5000, 29'999, 30'000, 99'999}) {
    ASSERT_EQ(engine->nearest(queries, k, {.threads = 2, .allowed = {}}), first_k(ranking, k));
  }
}

TEST(MultiIndex, TablesStayWithinFourTimesTheCodes) {
  for (const Index bits : {64, 128, 256}) {
    for (const Index rows : {65'536, 100'000, 262'144}) {
      const CodeMatrix codes(rows, bits);
      const BucketTables tables = BucketTables::build(codes, 0, 1);
      const Index lists =
          4 * rows * codes.words_per_code() / 64 * static_cast<Index>(tables.substrings().size());
      const Index code_bytes = rows * bits / 8;
      EXPECT_LE(static_cast<Index>(tables.bytes()) + lists + code_bytes, 4 * code_bytes)
          << rows << " codes of " << bits << " bits, " << tables.substrings().size();
    }
  }
}

TEST(MultiIndex, DamagedTablesAreNoticedInUse) {
  Rng rng(Seed{4});
  const CodeMatrix codes = clustered_codes(500, uniform_codes(5, 32, rng), 0.1, rng);
  const BucketTables good = BucketTables::build(codes, 4, 1);
  const auto search = [&](std::span<const std::uint32_t> starts,
                          std::span<const std::uint32_t> numbers) {
    auto tables =
        std::make_shared<const BucketTables>(BucketTables::view(500, 32, 4, starts, numbers));
    make_multi_index(codes, {}, tables, {.substrings = 0, .patience = kNeverScan, .threads = 1})
        ->nearest(codes, 3, {});
  };
  EXPECT_NO_THROW(search(good.starts(), good.row_numbers()));
  std::vector<std::uint32_t> numbers(good.row_numbers().begin(), good.row_numbers().end());
  std::ranges::fill(numbers, 500U);
  expect_error(Errc::corrupt_file, "damaged", [&] { search(good.starts(), numbers); });
  std::vector<std::uint32_t> starts(good.starts().begin(), good.starts().end());
  for (std::uint32_t& start : starts) {
    start *= 2;
  }
  expect_error(Errc::corrupt_file, "damaged", [&] { search(starts, good.row_numbers()); });
  expect_error(Errc::corrupt_file, "damaged",
               [&] { search(good.starts().first(9), good.row_numbers()); });
}

TEST(MultiIndex, BadArgumentsAreRefused) {
  const CodeMatrix codes(10, 24);
  const auto engine = make_multi_index(codes, {});
  EXPECT_EQ(engine->name(), "multi-index");
  expect_error(Errc::usage, "k must be 1 or more, got 0", [&] { engine->nearest(codes, 0, {}); });
  expect_error(Errc::usage, "32 bits, the codes 24",
               [&] { engine->nearest(CodeMatrix(1, 32), 1, {}); });
  expect_error(Errc::usage, "radius", [&] { engine->within(codes, std::nanf(""), {}); });
  expect_error(Errc::usage, "radius", [&] { engine->within(codes, -1.0F, {}); });
  const CodeMatrix many(200, 24);
  const std::vector<std::uint64_t> short_map(3);
  expect_error(Errc::usage, "200 rows need 4", [&] {
    make_multi_index(many, {})->nearest(codes, 1, {.threads = 1, .allowed = short_map});
  });
  expect_error(Errc::usage, "3 bit weights",
               [&] { make_multi_index(codes, std::vector<float>(3, 1.0F)); });
  for (const float wrong : {-1.0F, std::nanf(""), INFINITY}) {
    std::vector<float> weights(24, 1.0F);
    weights[5] = wrong;
    expect_error(Errc::usage, "weight of bit 5", [&] { make_multi_index(codes, weights); });
  }
  expect_error(Errc::usage, "cut into 25", [&] {
    make_multi_index(codes, {}, MultiIndexOptions{.substrings = 25, .patience = 1, .threads = 1});
  });
}

}  // namespace
}  // namespace structhash::search
