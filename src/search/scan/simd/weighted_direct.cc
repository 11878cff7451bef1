#include "search/scan/simd/weighted_direct.hpp"

#include "structhash/core/error.hpp"

#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/scan/simd/weighted_direct.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace structhash::search::HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX3_DL

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::FixedTag<std::uint64_t, 8>;
using WordVector = hn::Vec<Words>;
constexpr std::size_t kLanes = 8;

bool can_bound_directly(std::size_t words_per_code) {
  return words_per_code <= 4;
}

void direct_tables(const float* sums, std::size_t words_per_code, const std::uint64_t* query,
                   float scale, std::uint8_t* tables) {
  const hn::FixedTag<float, 16> real;
  const hn::FixedTag<std::int32_t, 16> whole;
  const hn::FixedTag<std::uint8_t, 16> narrow;
  for (std::size_t half = 0; half < words_per_code * 16; ++half) {
    const auto scaled = hn::Min(hn::Mul(hn::LoadU(real, sums + 16 * half), hn::Set(real, scale)),
                                hn::Set(real, 255.0F));
    const auto entries = hn::DemoteTo(narrow, hn::ConvertTo(whole, scaled));
    const auto pattern = static_cast<std::uint8_t>((query[half / 16] >> (4 * (half % 16))) & 15U);
    const auto order = hn::Xor(hn::Iota(narrow, 0), hn::Set(narrow, pattern));
    const std::size_t place = half / 16 * kDirectTableBytes + half % 2 * 128 + half % 16 / 2 * 16;
    hn::Store(hn::TableLookupBytes(entries, order), narrow, tables + place);
  }
}

/// What the codes of the lanes add to the bound in one word.
struct WordTables {
  __m512i low[2];
  __m512i high[2];

  HWY_INLINE explicit WordTables(const std::uint8_t* tables)
      : low{_mm512_load_si512(tables), _mm512_load_si512(tables + 64)},
        high{_mm512_load_si512(tables + 128), _mm512_load_si512(tables + 192)} {}

  /// Byte i of a word looks among entries 16 i .. 16 i + 15: its index is i and four bits of it.
  HWY_INLINE __m512i bound(__m512i words) const {
    const __m512i half = _mm512_set1_epi8(0x0F);
    const __m512i place = _mm512_set1_epi64(0x7060504030201000);
    constexpr int kOrAnd = 0xF8;  // a or (b and c)
    const __m512i low_index = _mm512_ternarylogic_epi64(place, words, half, kOrAnd);
    const __m512i high_index =
        _mm512_ternarylogic_epi64(place, _mm512_srli_epi16(words, 4), half, kOrAnd);
    const __m512i entries =
        _mm512_adds_epu8(_mm512_permutex2var_epi8(low[0], low_index, low[1]),
                         _mm512_permutex2var_epi8(high[0], high_index, high[1]));
    return _mm512_sad_epu8(entries, _mm512_setzero_si512());
  }
};

template <std::size_t kWords>
HWY_INLINE void load_words(const std::uint64_t* codes, WordVector* words) {
  const Words d;
  if constexpr (kWords == 1) {
    words[0] = hn::LoadU(d, codes);
  } else if constexpr (kWords == 2) {
    hn::LoadInterleaved2(d, codes, words[0], words[1]);
  } else if constexpr (kWords == 3) {
    hn::LoadInterleaved3(d, codes, words[0], words[1], words[2]);
  } else {
    hn::LoadInterleaved4(d, codes, words[0], words[1], words[2], words[3]);
  }
}

template <std::size_t kWords>
HWY_INLINE void one_query(const std::uint64_t* codes, const BoundedQuery& query,
                          std::uint8_t* mask) {
  const WordTables first(query.tables);
  const WordTables second(query.tables + (kWords > 1 ? 1 : 0) * kDirectTableBytes);
  const WordTables third(query.tables + (kWords > 2 ? 2 : 0) * kDirectTableBytes);
  const WordTables fourth(query.tables + (kWords > 3 ? 3 : 0) * kDirectTableBytes);
  const __m512i limit = _mm512_set1_epi64(query.bound);
  for (std::size_t row = 0; row < kBlockRows; row += kLanes) {
    WordVector words[kWords];
    load_words<kWords>(codes + row * kWords, words);
    __m512i sum = first.bound(words[0].raw);
    if constexpr (kWords > 1) {
      sum = _mm512_add_epi64(sum, second.bound(words[1].raw));
    }
    if constexpr (kWords > 2) {
      sum = _mm512_add_epi64(sum, third.bound(words[2].raw));
    }
    if constexpr (kWords > 3) {
      sum = _mm512_add_epi64(sum, fourth.bound(words[3].raw));
    }
    mask[row / 8] = _mm512_cmple_epi64_mask(sum, limit);
  }
}

void direct_survivors(const std::uint64_t* codes, std::size_t words_per_code,
                      std::span<const BoundedQuery> queries, const BlockMask& allowed,
                      SurvivorLog& log) {
  log_bounded(queries, log, [&](const BoundedQuery& query, BlockMask& mask) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(mask.words);
    switch (words_per_code) {
      case 1:
        one_query<1>(codes, query, bytes);
        break;
      case 2:
        one_query<2>(codes, query, bytes);
        break;
      case 3:
        one_query<3>(codes, query, bytes);
        break;
      default:
        one_query<4>(codes, query, bytes);
        break;
    }
    return mask.keep(allowed);
  });
}

#else

bool can_bound_directly(std::size_t) {
  return false;
}

void direct_tables(const float*, std::size_t, const std::uint64_t*, float, std::uint8_t*) {}

void direct_survivors(const std::uint64_t*, std::size_t, std::span<const BoundedQuery>,
                      const BlockMask&, SurvivorLog&) {
  fail(Errc::internal, "direct bounds need AVX-512 VBMI");
}

#endif

}  // namespace structhash::search::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash::search {

HWY_EXPORT(can_bound_directly);
HWY_EXPORT(direct_tables);
HWY_EXPORT(direct_survivors);

bool can_bound_directly(std::size_t words_per_code) {
  return HWY_DYNAMIC_DISPATCH(can_bound_directly)(words_per_code);
}

void direct_tables(const float* sums, std::size_t words_per_code, const std::uint64_t* query,
                   float scale, std::uint8_t* tables) {
  HWY_DYNAMIC_DISPATCH(direct_tables)(sums, words_per_code, query, scale, tables);
}

void direct_survivors(const std::uint64_t* codes, std::size_t words_per_code,
                      std::span<const BoundedQuery> queries, const BlockMask& allowed,
                      SurvivorLog& log) {
  HWY_DYNAMIC_DISPATCH(direct_survivors)(codes, words_per_code, queries, allowed, log);
}

}  // namespace structhash::search
#endif
