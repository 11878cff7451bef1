#include "core/thread_team.hpp"

#include <system_error>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr int kSpins = 30'000;  // reads of an atomic before sleeping: about ten microseconds

/// Returns when `value` is no longer `old`.
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (value.load(std::memory_order_acquire) != old) {
      return;
    }
  }
  value.wait(old, std::memory_order_acquire);
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
  stopping_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void ThreadTeam::run(const std::function<void()>& work) {
  work_ = &work;
  working_.store(static_cast<std::uint32_t>(helpers_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  work();
  for (auto left = working_.load(std::memory_order_acquire); left != 0;
       left = working_.load(std::memory_order_acquire)) {
    wait_for_change(working_, left);
  }
}

void ThreadTeam::help() {
  for (std::uint32_t seen = 0;;) {
    wait_for_change(round_, seen);
    ++seen;  // the next round starts only when every helper has finished this one
    if (stopping_) {
      return;
    }
    (*work_)();
    working_.fetch_sub(1, std::memory_order_release);
    working_.notify_one();
  }
}

}  // namespace structhash
