#pragma once

#include <atomic>
#include <functional>

#include "structhash/core/types.hpp"

/// The only threads in the project (docs/adr/0003).  Loops are cut into chunks that depend on n
/// alone, not on the number of threads.  Sums per chunk, added in chunk order, therefore give the
/// same bytes for any number of threads.
namespace structhash {

class ThreadTeam;  // core/thread_team.hpp

/// A request to stop, raised from any thread or from a signal handler and never lowered.  Loops
/// whose Threads hold the flag check it before every chunk and throw Errc::interrupted once it is
/// up.
class StopFlag {
 public:
  void raise() noexcept { raised_.store(true, std::memory_order_relaxed); }
  bool raised() const noexcept { return raised_.load(std::memory_order_relaxed); }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not wait");
  std::atomic<bool> raised_ = false;
};

/// The threads of a loop: a number to start, or an existing team; and an optional flag that stops
/// the loop.
class Threads {
 public:
  Threads(int count) : count_(count) {}  // NOLINT(google-explicit-constructor): a plain number
  explicit Threads(ThreadTeam& team);
  /// The flag must outlive the work.
  Threads(int count, const StopFlag& stop) : count_(count), stop_(&stop) {}

  int count() const { return count_; }
  ThreadTeam* team() const { return team_; }
  /// The same flag with other threads: a single one, or those of a team.
  Threads one() const { return with({1}); }
  Threads on(ThreadTeam& team) const { return with(Threads(team)); }

  /// Throws Errc::interrupted if the flag is up.  parallel_for calls it before every chunk; a long
  /// loop on one thread must call it in every round.
  void stop_if_asked() const;

 private:
  Threads with(Threads others) const {
    others.stop_ = stop_;
    return others;
  }

  int count_;
  ThreadTeam* team_ = nullptr;
  const StopFlag* stop_ = nullptr;
};

/// Calls body(begin, end) for consecutive chunks of at most `grain` indices of 0..n-1.
/// The first exception in chunk order is rethrown after every thread has stopped.
/// A body must not call parallel_for itself.
void parallel_for(Index n, Threads threads, Index grain,
                  const std::function<void(Index begin, Index end)>& body);

/// Number of chunks that parallel_for makes; the one that starts at `begin` has number begin /
/// grain.
inline Index chunk_count(Index n, Index grain) {
  return (n + grain - 1) / grain;
}

/// Number of threads for a user's choice; 0 means all processors that this process may use.
int resolve_threads(int requested);

}  // namespace structhash
