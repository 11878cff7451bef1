#include "structhash/core/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "core/thread_team.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// Keeps the exception of the lowest chunk, so the error does not depend on timing.
class FirstError {
 public:
  void record(Index chunk, std::exception_ptr error) {
    const std::scoped_lock lock(mutex_);
    if (chunk < chunk_) {
      chunk_ = chunk;
      error_ = std::move(error);
    }
  }
  /// Chunks after a failed one need not run; chunks before it must, because they may fail, too.
  bool precedes(Index chunk) {
    const std::scoped_lock lock(mutex_);
    return chunk_ < chunk;
  }
  void rethrow() const {
    if (error_) {
      std::rethrow_exception(error_);
    }
  }

 private:
  std::mutex mutex_;
  Index chunk_ = std::numeric_limits<Index>::max();
  std::exception_ptr error_;
};

}  // namespace

Threads::Threads(ThreadTeam& team) : count_(team.threads()), team_(&team) {}

void Threads::stop_if_asked() const {
  if (stop_ != nullptr && stop_->raised()) {
    fail(Errc::interrupted, "stopped on request");
  }
}

void parallel_for(Index n, Threads threads, Index grain,
                  const std::function<void(Index begin, Index end)>& body) {
  require(threads.count() >= 1 && grain >= 1,
          "parallel_for needs at least one thread and a grain of 1");
  const Index chunks = chunk_count(n, grain);
  const Index workers = std::min<Index>(threads.count(), chunks);
  const auto run_chunk = [&](Index chunk) {
    threads.stop_if_asked();
    body(chunk * grain, std::min(n, (chunk + 1) * grain));
  };
  if (workers <= 1) {
    for (Index chunk = 0; chunk < chunks; ++chunk) {
      run_chunk(chunk);
    }
    return;
  }
  std::atomic<Index> next{0};
  FirstError first;
  const auto work = [&] {
    for (Index chunk = next++; chunk < chunks; chunk = next++) {
      if (first.precedes(chunk)) {
        continue;
      }
      try {
        run_chunk(chunk);
      } catch (...) {
        first.record(chunk, std::current_exception());
      }
    }
  };
  if (threads.team() != nullptr) {
    threads.team()->run(work);
  } else {
    std::vector<std::jthread> pool;
    pool.reserve(static_cast<std::size_t>(workers - 1));
    try {
      for (Index i = 1; i < workers; ++i) {
        pool.emplace_back(work);
      }
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
      // the system allows no more threads: use those that have started
    }
    work();
  }
  first.rethrow();
}

int resolve_threads(int requested) {
  require(requested >= 0, "the number of threads must be 0 (all) or more");
  if (requested > 0) {
    return requested;
  }
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    return std::max(1, CPU_COUNT(&allowed));
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace structhash
