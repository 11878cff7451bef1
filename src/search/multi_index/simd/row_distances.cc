#include "search/multi_index/simd/row_distances.hpp"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/multi_index/simd/row_distances.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace structhash::search::HWY_NAMESPACE {

/// The codes are scattered in memory and fetching them dominates: a loop over single words with the
/// bit count of the processor is enough.
void row_distances(const std::uint64_t* words, std::size_t words_per_code,
                   const std::uint32_t* rows, std::size_t count, const std::uint64_t* query,
                   float* distances) {
  if (words_per_code == 1) {
    const std::uint64_t only = *query;
    for (std::size_t i = 0; i < count; ++i) {
      distances[i] = static_cast<float>(std::popcount(words[rows[i]] ^ only));
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t* code = words + rows[i] * words_per_code;
    int different = 0;
    for (std::size_t word = 0; word < words_per_code; ++word) {
      different += std::popcount(code[word] ^ query[word]);
    }
    distances[i] = static_cast<float>(different);
  }
}

}  // namespace structhash::search::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash::search {

HWY_EXPORT(row_distances);

void row_distances(const std::uint64_t* words, std::size_t words_per_code,
                   const std::uint32_t* rows, std::size_t count, const std::uint64_t* query,
                   float* distances) {
  HWY_DYNAMIC_DISPATCH(row_distances)(words, words_per_code, rows, count, query, distances);
}

}  // namespace structhash::search
#endif
