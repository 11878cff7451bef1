#include "search/scan/simd/popcount.hpp"

#include <bit>

#define HWY_WANT_AVX3_DL  // it has a vector population count
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/scan/simd/popcount.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace structhash::search::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::CappedTag<std::uint64_t, 8>;
using WordVector = hn::Vec<Words>;
using Signed = hn::RebindToSigned<Words>;  // cheaper to compare

/// Distances of consecutive codes, one per lane; the codes have kWords words.
template <std::size_t kWords>
HWY_INLINE WordVector lane_distances(const std::uint64_t* codes, const WordVector* query) {
  const Words d;
  if constexpr (kWords == 1) {
    return hn::PopulationCount(hn::Xor(hn::LoadU(d, codes), query[0]));
  } else {
    WordVector word[4];
    if constexpr (kWords == 2) {
      hn::LoadInterleaved2(d, codes, word[0], word[1]);
    } else if constexpr (kWords == 3) {
      hn::LoadInterleaved3(d, codes, word[0], word[1], word[2]);
    } else {
      hn::LoadInterleaved4(d, codes, word[0], word[1], word[2], word[3]);
    }
    WordVector sum = hn::PopulationCount(hn::Xor(word[0], query[0]));
    for (std::size_t i = 1; i < kWords; ++i) {
      sum = hn::Add(sum, hn::PopulationCount(hn::Xor(word[i], query[i])));
    }
    return sum;
  }
}

/// Bit set for lanes at distance at most the limit; `too_far` is one more.
template <std::size_t kWords>
HWY_INLINE std::uint64_t near_lanes(const std::uint64_t* codes, const WordVector* query,
                                    hn::Vec<Signed> too_far) {
  const auto sum = hn::BitCast(Signed(), lane_distances<kWords>(codes, query));
  std::uint8_t bits[8];
  hn::StoreMaskBits(Signed(), hn::Lt(sum, too_far), bits);
  return bits[0];
}

/// True if any allowed row is near.
template <std::size_t kWords>
HWY_INLINE bool short_codes(const std::uint64_t* codes, const std::uint64_t* query,
                            std::int64_t limit, const BlockMask& allowed, BlockMask& mask) {
  const Words d;
  WordVector spread[kWords];
  for (std::size_t i = 0; i < kWords; ++i) {
    spread[i] = hn::Set(d, query[i]);
  }
  const auto too_far = hn::Set(Signed(), limit + 1);
  std::uint64_t any = 0;
  for (std::size_t word = 0; word < kBlockRows / 64; ++word) {
    std::uint64_t near = 0;
    for (std::size_t row = 0; row < 64; row += hn::Lanes(d)) {
      near |= near_lanes<kWords>(codes + row * kWords, spread, too_far) << row;
    }
    near &= allowed.words[word];
    mask.words[word] = near;
    any |= near;
    codes += 64 * kWords;
  }
  return any != 0;
}

bool long_codes(const std::uint64_t* codes, std::size_t words_per_code, const std::uint64_t* query,
                std::int64_t limit, const BlockMask& allowed, BlockMask& mask) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  mask = {};
  for (std::size_t row = 0; row < kBlockRows; ++row, codes += words_per_code) {
    auto sums = hn::Zero(d);
    std::size_t i = 0;
    for (; i + lanes <= words_per_code; i += lanes) {
      const auto difference = hn::Xor(hn::LoadU(d, codes + i), hn::LoadU(d, query + i));
      sums = hn::Add(sums, hn::PopulationCount(difference));
    }
    auto distance = static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(d, sums)));
    for (; i < words_per_code; ++i) {
      distance += std::popcount(codes[i] ^ query[i]);
    }
    mask.words[row / 64] |= std::uint64_t{distance <= limit ? 1U : 0U} << (row % 64);
  }
  return mask.keep(allowed);
}

bool one_query(const std::uint64_t* codes, std::size_t words_per_code, const std::uint64_t* query,
               std::int64_t limit, const BlockMask& allowed, BlockMask& mask) {
  switch (words_per_code) {
    case 1:
      return short_codes<1>(codes, query, limit, allowed, mask);
    case 2:
      return short_codes<2>(codes, query, limit, allowed, mask);
    case 3:
      return short_codes<3>(codes, query, limit, allowed, mask);
    case 4:
      return short_codes<4>(codes, query, limit, allowed, mask);
    default:
      return long_codes(codes, words_per_code, query, limit, allowed, mask);
  }
}

void popcount_survivors(const std::uint64_t* codes, std::size_t words_per_code,
                        std::span<const std::uint64_t* const> queries,
                        std::span<const std::int64_t> limits, const BlockMask& allowed,
                        SurvivorLog& log) {
  for (std::size_t query = 0; query < queries.size(); ++query) {
    if (limits[query] < 0) {
      continue;
    }
    const bool any =
        one_query(codes, words_per_code, queries[query], limits[query], allowed, log.next_mask());
    log.keep_if(any, static_cast<std::uint32_t>(query));
  }
}

}  // namespace structhash::search::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash::search {

HWY_EXPORT(popcount_survivors);

void popcount_survivors(const std::uint64_t* codes, std::size_t words_per_code,
                        std::span<const std::uint64_t* const> queries,
                        std::span<const std::int64_t> limits, const BlockMask& allowed,
                        SurvivorLog& log) {
  HWY_DYNAMIC_DISPATCH(popcount_survivors)(codes, words_per_code, queries, limits, allowed, log);
}

}  // namespace structhash::search
#endif
