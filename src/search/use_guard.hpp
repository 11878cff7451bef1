#pragma once

#include <atomic>
#include <memory>

#include "structhash/core/error.hpp"

/// Many readers or one writer; a call at the wrong time throws at once and never waits.
namespace structhash::search {

class UseGuard {
  struct EndReading {
    void operator()(std::atomic<int>* users) const {
      users->fetch_sub(1, std::memory_order_release);
    }
  };
  struct EndChange {
    void operator()(std::atomic<int>* users) const { users->store(0, std::memory_order_release); }
  };

 public:
  using Reading = std::unique_ptr<std::atomic<int>, EndReading>;
  using Change = std::unique_ptr<std::atomic<int>, EndChange>;

  [[nodiscard]] Reading read() {
    int users = users_.load(std::memory_order_relaxed);
    do {
      require(users >= 0, "another thread is changing the index; search it before or afterwards");
    } while (!users_.compare_exchange_weak(users, users + 1, std::memory_order_acquire,
                                           std::memory_order_relaxed));
    return Reading(&users_);
  }

  [[nodiscard]] Change change() {
    int unused = 0;
    require(users_.compare_exchange_strong(unused, kBeingChanged, std::memory_order_acquire,
                                           std::memory_order_relaxed),
            "another thread is using the index; change it when no search is running");
    return Change(&users_);
  }

 private:
  static constexpr int kBeingChanged = -1;
  std::atomic<int> users_ = 0;
};

}  // namespace structhash::search
