#include "core/thread_team.hpp"

#include <system_error>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr int kSpins = 200'000;  // reads of an atomic before sleeping: about 60 microseconds

// The state of a team, from its lowest bit.
constexpr std::uint64_t kHelper = 1;        // helpers at work
constexpr std::uint64_t kHelpers = 0xFFFF;  // all of them
constexpr std::uint64_t kOpen = 0x10000;    // helpers may begin
constexpr std::uint64_t kStop = 0x20000;    // helpers shall end
constexpr std::uint64_t kRun = 0x40000;     // the number of the run

/// The first value that is not `old`.
std::uint64_t wait_for_change(const std::atomic<std::uint64_t>& value, std::uint64_t old) {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (const auto now = value.load(std::memory_order_acquire); now != old) {
      return now;
    }
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

ThreadTeam::ThreadTeam(int threads) {
  require(threads >= 1, "a team needs at least one thread");
  helpers_.reserve(static_cast<std::size_t>(threads) - 1);
  try {
    for (int i = 1; i < threads; ++i) {
      helpers_.emplace_back([this] { help(); });
    }
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
    // the system allows no more threads: use those that have started
  }
}

ThreadTeam::~ThreadTeam() {
  state_.fetch_or(kStop, std::memory_order_release);
  state_.notify_all();
}

/// Between two runs no helper is at work and none may begin: `work_` is this thread's alone.
void ThreadTeam::run(const std::function<void()>& work) {
  work_ = &work;
  state_.fetch_add(kRun + kOpen, std::memory_order_release);
  state_.notify_all();
  work();
  auto now = state_.fetch_sub(kOpen, std::memory_order_acq_rel) - kOpen;
  while ((now & kHelpers) != 0) {
    now = wait_for_change(state_, now);
  }
}

void ThreadTeam::help() {
  std::uint64_t last = 0;  // run that this helper took part in
  auto now = state_.load(std::memory_order_acquire);
  while ((now & kStop) == 0) {
    if ((now & kOpen) == 0 || now / kRun == last) {
      now = wait_for_change(state_, now);
    } else if (state_.compare_exchange_weak(now, now + kHelper, std::memory_order_acq_rel,
                                            std::memory_order_acquire)) {
      last = now / kRun;
      (*work_)();
      now = state_.fetch_sub(kHelper, std::memory_order_release) - kHelper;
      state_.notify_all();
    }
  }
}

}  // namespace structhash
