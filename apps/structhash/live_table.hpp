#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "structhash/core/progress.hpp"
#include "structhash/core/types.hpp"
#include "terminal.hpp"

/// Many jobs at once: a line for each that runs, one for the whole, and what is finished above.
namespace structhash::cli {

/// On a terminal the lines at the bottom move; elsewhere only what is finished is printed.
/// May be called from any thread.
class LiveTable {
 public:
  LiveTable(Index tasks, Index jobs, ColorChoice color);
  ~LiveTable();
  LiveTable(const LiveTable&) = delete;
  LiveTable& operator=(const LiveTable&) = delete;

  /// The job begins something; what it reports to the callback is shown beside it.
  ProgressCallback start(Index job, std::string what);
  /// Prints lines for good; `tasks` counts towards the whole.
  void finish(Index job, const std::vector<std::string>& lines);
  /// Takes the moving lines away.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    std::string what;  // empty: it has nothing to do
    Progress progress{};
    Clock::time_point stage_start{};
    double stage_first_done = 0.0;
  };
  void show(Index job, const Progress& progress);
  void draw();
  void erase();
  std::string overall_line(int width) const;

  std::mutex mutex_;
  bool moving_;
  bool color_;
  Index tasks_;
  Index finished_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_drawn_{};
  std::vector<Job> jobs_;
  int lines_visible_ = 0;
};

}  // namespace structhash::cli
