#include "relevance/sampling.hpp"

#include <algorithm>

namespace structhash {

std::vector<Index> sample_of(std::span<const Index> items, Index count, Rng& rng) {
  const Index available = std::ssize(items);
  std::vector<Index> sample =
      sample_without_replacement(available, std::min(count, available), rng);
  for (Index& item : sample) {
    item = items[static_cast<std::size_t>(item)];
  }
  std::ranges::sort(sample);
  return sample;
}

namespace {

/// The n-th number (from 0) that is not excluded.  excluded[j] - j numbers before excluded[j] are
/// free, so n skips exactly the leading entries with excluded[j] - j <= n.
Index nth_outside(Index n, std::span<const Index> excluded) {
  std::size_t low = 0;
  std::size_t high = excluded.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (excluded[middle] - static_cast<Index>(middle) <= n) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return n + static_cast<Index>(low);
}

}  // namespace

std::vector<Index> sample_outside(Index population, std::span<const Index> excluded, Index count,
                                  Rng& rng) {
  const Index available = population - std::ssize(excluded);
  std::vector<Index> sample =
      sample_without_replacement(available, std::min(count, available), rng);
  for (Index& item : sample) {
    item = nth_outside(item, excluded);
  }
  std::ranges::sort(sample);
  return sample;
}

}  // namespace structhash
