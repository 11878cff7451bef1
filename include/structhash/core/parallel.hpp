#pragma once

#include <functional>

#include "structhash/core/stop_flag.hpp"
#include "structhash/core/types.hpp"

/// The only threads in the project (docs/adr/0003).  Work is cut into chunks that depend on n
/// alone, never on the number of threads, so that sums made chunk by chunk and then in chunk order
/// give the same bytes for any number of threads.
namespace structhash {

class ThreadTeam;  // core/thread_team.hpp

/// Who runs a loop: so many threads, started for it, or a team that is there already; and the flag,
/// if any, that stops it.
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
  /// loop on one thread calls it itself, in every round.
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

/// Number of chunks parallel_for makes, and the chunk that starts at `begin`: for per-chunk sums.
inline Index chunk_count(Index n, Index grain) {
  return (n + grain - 1) / grain;
}

/// Threads to use when the user asked for `requested`; 0 means all that this process may use.
int resolve_threads(int requested);

}  // namespace structhash
