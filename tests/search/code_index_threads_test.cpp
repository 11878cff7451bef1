#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "search/random_search.hpp"
#include "structhash/core/error.hpp"
#include "structhash/search/code_index.hpp"

namespace structhash {
namespace {

TEST(CodeIndexThreads, EightThreadsSearchOneIndex) {
  Rng rng(Seed{1});
  const CodeMatrix codes = clustered_codes(4000, uniform_codes(40, 32, rng), 0.05, rng);
  CodeIndex index({.bits = 32});
  index.add(codes);
  index.prepare();
  constexpr Index kQueries = 64;
  SearchResult expected = index.nearest(CodeSpan(codes.words().first(kQueries), kQueries, 32), 5);
  std::atomic<int> wrong = 0;
  const auto search = [&](Index offset) {
    for (Index i = 0; i < 2000; ++i) {
      const Index query = (offset + i) % kQueries;
      const auto engine = i % 8 == 0 ? EngineChoice::scan : EngineChoice::multi_index;
      const SearchResult one = index.nearest(CodeSpan(codes.row(query), 1, 32), 5,
                                             {.threads = 1, .engine = engine, .only = nullptr});
      const auto first = expected.ids.begin() + 5 * query;
      wrong += std::equal(one.ids.begin(), one.ids.end(), first, first + 5) ? 0 : 1;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (Index t = 0; t < 8; ++t) {
      threads.emplace_back(search, t * 7);
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(CodeIndexThreads, ChangesDuringSearchesAreRefusedOrDone) {
  Rng rng(Seed{2});
  const CodeMatrix codes = clustered_codes(500, uniform_codes(5, 32, rng), 0.1, rng);
  CodeIndex index({.bits = 32});
  index.add(codes);
  std::atomic<bool> stop = false;
  std::atomic<int> unexpected = 0;
  const auto tolerate = [&](const auto& action) {
    try {
      action();
      return true;
    } catch (const Error& error) {
      unexpected += error.code() == Errc::usage ? 0 : 1;
      return false;
    }
  };
  Index added = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        while (!stop) {
          tolerate([&] { unexpected += index.nearest(codes, 1).ids.size() == 500 ? 0 : 1; });
        }
      });
    }
    for (int i = 0; i < 3000; ++i) {
      added += tolerate([&] { index.add(CodeSpan(codes.row(0), 1, 32)); }) ? 1 : 0;
    }
    stop = true;
  }
  EXPECT_EQ(unexpected, 0);
  EXPECT_EQ(index.size(), 500 + added);
  index.add(CodeSpan(codes.row(0), 1, 32));  // nobody is left: it works
}

}  // namespace
}  // namespace structhash
