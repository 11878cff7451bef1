#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "search/multi_index/multi_index.hpp"
#include "search/random_search.hpp"
#include "search/scan/flat_scan.hpp"

namespace structhash::search {
namespace {

/// One engine, eight threads, no lock: everybody gets the answers of a single caller.
void expect_same_answers(const SearchEngine& engine, const CodeMatrix& queries, int searches) {
  const Neighbours expected = engine.nearest(queries, 10, {});
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 8; ++caller) {
      callers.emplace_back([&, caller] {
        for (int i = 0; i < searches; ++i) {
          const Index query = (caller + i) % queries.rows();
          const CodeSpan one(queries.row(query), 1, queries.bits());
          wrong += engine.nearest(one, 10, {})[0] != expected[static_cast<std::size_t>(query)];
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(ConcurrentSearch, EightThreadsOnOneEngine) {
  Rng rng(Seed{8});
  const CodeMatrix database = uniform_codes(500, 64, rng);
  const CodeMatrix queries = uniform_codes(50, 64, rng);
  const std::vector<float> weights = draw_weights(64, 0, rng);
  const int searches = 2500;  // 20,000 in all
  expect_same_answers(*make_flat_scan(database), queries, searches);
  expect_same_answers(*make_flat_scan(database, weights), queries, searches);
  expect_same_answers(*make_multi_index(database, {}), queries, searches);
  expect_same_answers(*make_multi_index(database, weights), queries, searches);
}

}  // namespace
}  // namespace structhash::search
