#pragma once

#include <algorithm>
#include <chrono>

#include "interrupts.hpp"
#include "structhash/core/types.hpp"

namespace structhash::python {

/// Calls use(first, count) for consecutive blocks of `total` rows, and looks for signals between
/// them.  The first block has `step` rows; then blocks grow or shrink to an eighth to half a
/// second. No rows at all are one block: whatever else is wrong is found all the same.
template <typename Use>
void for_each_block(Index total, Index step, const Use& use) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kShort = std::chrono::milliseconds(125);
  constexpr Index kMin = 64;
  Index first = 0;
  do {
    const auto start = Clock::now();
    const Index count = std::min(step, total - first);
    use(first, count);
    first += count;
    const auto time = Clock::now() - start;
    if (time < kShort) {
      step *= 2;
    } else if (time > 4 * kShort) {
      step = std::max(kMin, step / 2);
    }
    if (first < total) {
      raise_pending_signals();
    }
  } while (first < total);
}

}  // namespace structhash::python
