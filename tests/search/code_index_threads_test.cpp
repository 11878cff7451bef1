#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "search/random_search.hpp"
#include "structhash/core/error.hpp"
#include "structhash/search/code_index.hpp"
#include "support/temporary_folder.hpp"

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

/// A server that renews its index: one thread adds to an index of its own, saves it over the file
/// and loads it anew, the others search whatever is current and keep it as long as they use it.
TEST(CodeIndexThreads, SearchesGoOnWhileTheIndexIsChangedSavedAndLoadedAnew) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("index");
  Rng rng(Seed{3});
  const CodeMatrix codes = clustered_codes(600, uniform_codes(6, 32, rng), 0.1, rng);
  CodeIndex growing({.bits = 32});
  growing.add(codes);
  growing.save(path);
  std::mutex renewal;
  auto current = std::make_shared<const CodeIndex>(CodeIndex::load(path));
  const auto get = [&] {
    const std::scoped_lock lock(renewal);
    return current;
  };
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (Index i = t; !stop; ++i) {
          const auto index = get();
          const CodeSpan query(codes.row(i % codes.rows()), 1, 32);
          const bool by_tables = i % 2 == 0 && index->prepared();
          const auto engine = by_tables ? EngineChoice::multi_index : EngineChoice::scan;
          const SearchResult found =
              index->nearest(query, 1, {.threads = 2, .engine = engine, .only = nullptr});
          wrong += found.distances.at(0) == 0.0F ? 0 : 1;  // every query is in every version
        }
      });
    }
    for (int version = 0; version < 40; ++version) {
      growing.add(CodeSpan(codes.row(version), 1, 32));
      if (version % 2 == 0) {
        growing.prepare(2);
      }
      growing.save(path);
      auto renewed = std::make_shared<const CodeIndex>(CodeIndex::load(path));
      wrong += renewed->size() == codes.rows() + version + 1 ? 0 : 1;
      const std::scoped_lock lock(renewal);
      current.swap(renewed);
    }
    stop = true;
  }
  EXPECT_EQ(wrong, 0);
}

/// An error inside the threads of a search reaches each of its callers, and leaves the index fit
/// for use.
TEST(CodeIndexThreads, ErrorsInWorkersReachTheirCallers) {
  Rng rng(Seed{4});
  const CodeMatrix codes = uniform_codes(300, 32, rng);
  CodeIndex index({.bits = 32});
  index.add(codes);
  IdFilter stale = index.filter(std::vector<std::int64_t>{1, 2});
  index.add(CodeSpan(codes.row(0), 1, 32));  // the filter is not good any more
  std::atomic<int> refused = 0;
  std::atomic<int> answered = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 100; ++i) {
          try {
            index.nearest(codes, 3,
                          {.threads = 2,
                           .engine = EngineChoice::scan,
                           .only = (t + i) % 2 == 0 ? &stale : nullptr});
            ++answered;
          } catch (const Error& error) {
            refused += error.code() == Errc::usage ? 1 : 0;
          }
        }
      });
    }
  }
  EXPECT_EQ(refused, 300);
  EXPECT_EQ(answered, 300);
}

}  // namespace
}  // namespace structhash
