#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

/// Threads for many short loops: a loop of 50 microseconds ends before a new thread would start.
namespace structhash {

/// The caller and `threads - 1` helpers.  Between two runs a helper spins for some microseconds and
/// then sleeps, so an idle team costs nothing.  One caller at a time.
///
/// A helper that wakes up late misses the run: where other programs use the processors, the caller
/// does not wait for helpers that have not begun.
class ThreadTeam {
 public:
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }

  /// Runs `work` on the calling thread and on those helpers that begin before it ends there, and
  /// returns when all have finished.  Any one call must do all that is left to do; none may throw.
  void run(const std::function<void()>& work);

 private:
  void help();

  std::atomic<std::uint64_t> state_ = 0;  // number of the run, open or closed, helpers at work
  const std::function<void()>* work_ = nullptr;
  std::vector<std::jthread> helpers_;
};

}  // namespace structhash
