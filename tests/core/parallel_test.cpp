#include "structhash/core/parallel.hpp"
#include "core/thread_team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "structhash/core/error.hpp"
#include "support/memory_limit.hpp"

namespace structhash {
namespace {

double chunked_sum(int threads) {
  const Index n = 10'007;
  const Index grain = 64;
  std::vector<double> partial(static_cast<std::size_t>(chunk_count(n, grain)));
  parallel_for(n, threads, grain, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      partial[static_cast<std::size_t>(begin / grain)] += 1.0 / to_double(i + 1);
    }
  });
  return std::accumulate(partial.begin(), partial.end(), 0.0);
}

TEST(Parallel, SumsAreTheSameBytesForAnyNumberOfThreads) {
  const double one = chunked_sum(1);
  for (const int threads : {2, 3, 4, 8}) {
    EXPECT_EQ(one, chunked_sum(threads));
  }
}

TEST(Parallel, EveryIndexOnce) {
  for (const Index n : {Index{0}, Index{1}, Index{63}, Index{64}, Index{65}, Index{1000}}) {
    std::vector<int> seen(static_cast<std::size_t>(n));
    parallel_for(n, 4, 64, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        ++seen[static_cast<std::size_t>(i)];
      }
    });
    EXPECT_EQ(seen, std::vector<int>(static_cast<std::size_t>(n), 1));
  }
}

TEST(Parallel, RethrowsTheErrorOfTheLowestChunk) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    try {
      parallel_for(1000, 4, 10, [](Index begin, Index) {
        if (begin >= 300) {
          fail(Errc::bad_data, "chunk " + std::to_string(begin));
        }
      });
      FAIL() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "chunk 300");
      EXPECT_EQ(error.code(), Errc::bad_data);
    }
  }
}

TEST(Parallel, ATeamRunsLoopAfterLoop) {
  ThreadTeam team(4);
  std::vector<Index> count(1000);
  for (int loop = 0; loop < 2000; ++loop) {
    if (loop % 500 == 0) {  // long enough for the helpers to fall asleep
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    parallel_for(std::ssize(count), Threads(team), 64, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        ++count[static_cast<std::size_t>(i)];
      }
    });
  }
  EXPECT_EQ(count, std::vector<Index>(1000, 2000));
}

TEST(Parallel, ATeamSurvivesAnError) {
  ThreadTeam team(3);
  const auto loop = [&](bool bad) {
    std::atomic<Index> sum{0};
    parallel_for(100, Threads(team), 1, [&](Index begin, Index) {
      if (bad && begin == 50) {
        fail(Errc::bad_data, "chunk 50");
      }
      sum += begin;
    });
    return sum.load();
  };
  EXPECT_THROW(loop(true), Error);
  EXPECT_EQ(loop(false), 4950);
}

Errc code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

TEST(Parallel, AFlagStopsALoopAtItsNextChunk) {
  for (const int threads : {1, 3}) {
    StopFlag stop;
    std::atomic<Index> chunks{0};
    const auto loop = [&] {
      parallel_for(1'000, {threads, stop}, 1, [&](Index, Index) {
        if (++chunks == 10) {
          stop.raise();
        }
      });
    };
    EXPECT_EQ(code_of(loop), Errc::interrupted);
    EXPECT_LT(chunks.load(), 10 + threads);
    EXPECT_EQ(code_of(loop), Errc::interrupted);  // it stays up
    EXPECT_LT(chunks.load(), 10 + threads);
  }
}

TEST(Parallel, TheFlagGoesWhereTheThreadsGo) {
  StopFlag stop;
  ThreadTeam team(2);
  const Threads threads(4, stop);
  EXPECT_EQ(threads.one().count(), 1);
  EXPECT_EQ(threads.on(team).count(), 2);
  threads.stop_if_asked();
  stop.raise();
  EXPECT_EQ(code_of([&] { threads.stop_if_asked(); }), Errc::interrupted);
  EXPECT_EQ(code_of([&] { threads.one().stop_if_asked(); }), Errc::interrupted);
  EXPECT_EQ(code_of([&] { threads.on(team).stop_if_asked(); }), Errc::interrupted);
  Threads(4).stop_if_asked();  // without a flag nothing stops it
}

/// Whatever a body throws, from as many chunks as there are: one exception arrives, of its own
/// type, all threads have ended, and the next loop works.
TEST(Parallel, ExceptionsOfAnyTypeArriveOnce) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::atomic<int> inside = 0;
    const auto loop = [&](const auto& body) {
      parallel_for(64, 4, 1, [&](Index begin, Index) {
        ++inside;
        body(begin);
        --inside;
      });
    };
    EXPECT_THROW(loop([&](Index) {
                   --inside;
                   throw std::bad_alloc();
                 }),
                 std::bad_alloc);
    EXPECT_EQ(inside, 0);
    EXPECT_THROW(loop([&](Index begin) {
                   --inside;
                   if (begin % 2 == 0) {
                     throw std::out_of_range("even");
                   }
                   throw std::length_error("odd");
                 }),
                 std::out_of_range);  // that of the lowest chunk
    EXPECT_EQ(inside, 0);
    EXPECT_NO_THROW(loop([](Index) {}));
    EXPECT_EQ(inside, 0);
  }
}

TEST(Parallel, WorksWithFewerThreadsThanAskedFor) {
  std::atomic<Index> sum = 0;
  {
    const test::MemoryLimit no_room_for_stacks(1U << 20U);
    parallel_for(1000, 64, 1, [&](Index begin, Index) { sum += begin; });
    ThreadTeam team(64);
    parallel_for(1000, Threads(team), 1, [&](Index begin, Index) { sum += begin; });
  }
  EXPECT_EQ(sum, 2 * 499'500);
}

TEST(Parallel, RefusesNonsense) {
  EXPECT_THROW(ThreadTeam(0), Error);
  EXPECT_THROW(parallel_for(10, 0, 1, [](Index, Index) {}), Error);
  EXPECT_THROW(parallel_for(10, 1, 0, [](Index, Index) {}), Error);
  EXPECT_GE(resolve_threads(0), 1);
  EXPECT_EQ(resolve_threads(3), 3);
  EXPECT_THROW(resolve_threads(-1), Error);
}

}  // namespace
}  // namespace structhash
