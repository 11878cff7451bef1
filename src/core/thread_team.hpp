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
class ThreadTeam {
 public:
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }

  /// Runs `work` on every thread at once and returns when all have finished; it must not throw.
  void run(const std::function<void()>& work);

 private:
  void help();

  std::atomic<std::uint32_t> round_ = 0;    // raised when there is new work
  std::atomic<std::uint32_t> working_ = 0;  // helpers that have not finished it
  const std::function<void()>* work_ = nullptr;
  bool stopping_ = false;
  std::vector<std::jthread> helpers_;
};

}  // namespace structhash
