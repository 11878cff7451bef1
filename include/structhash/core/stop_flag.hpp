#pragma once

#include <atomic>

/// How somebody outside asks long work to stop.
namespace structhash {

/// Raised from any thread or from a signal handler, and never lowered.  Work whose Threads carry
/// the flag looks at it before every block of a loop and throws Errc::interrupted once it is up.
class StopFlag {
 public:
  void raise() noexcept { raised_.store(true, std::memory_order_relaxed); }
  bool raised() const noexcept { return raised_.load(std::memory_order_relaxed); }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not wait");
  std::atomic<bool> raised_ = false;
};

}  // namespace structhash
