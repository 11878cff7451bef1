#include "search/scan/simd/weighted_bounds.hpp"

#include <algorithm>
#include <cstring>

#define HWY_WANT_AVX3_DL  // it looks bytes up among 64
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/scan/simd/weighted_bounds.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace structhash::search::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

/// Without vectors a bound costs as much as the sum it saves: every row survives.
FieldLayout field_layout() {
  return {.fields = 16, .width = 4, .entries = 64, .drops_a_bit = false};
}

void quantise_tables(const float*, std::span<const std::uint64_t>, const std::uint64_t*, float,
                     std::uint8_t*) {}

void split_fields(const std::uint64_t*, std::span<const std::uint64_t>, std::uint8_t*) {}

void bounded_survivors(const std::uint8_t*, std::size_t, std::span<const BoundedQuery> queries,
                       const BlockMask& allowed, SurvivorLog& log) {
  const bool any = std::ranges::any_of(allowed.words, [](std::uint64_t word) { return word; });
  for (std::size_t query = 0; query < queries.size(); ++query) {
    log.next_mask() = allowed;
    log.keep_if(any && queries[query].bound >= 0, static_cast<std::uint32_t>(query));
  }
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::CappedTag<std::uint8_t, 64>;
using ByteVector = hn::Vec<Bytes>;

#if HWY_TARGET <= HWY_AVX3_DL
constexpr FieldLayout kLayout{.fields = 9, .width = 7, .entries = 128, .drops_a_bit = true};

struct FieldTable {
  ByteVector low;
  ByteVector high;

  HWY_INLINE void load(const std::uint8_t* entries) {
    low = hn::Load(Bytes(), entries);
    high = hn::Load(Bytes(), entries + 64);
  }
  HWY_INLINE ByteVector look_up(ByteVector index) const {
    return ByteVector{_mm512_permutex2var_epi8(low.raw, index.raw, high.raw)};
  }
};
#else
constexpr FieldLayout kLayout{.fields = 16, .width = 4, .entries = 64, .drops_a_bit = false};

struct FieldTable {
  ByteVector all;

  HWY_INLINE void load(const std::uint8_t* entries) { all = hn::Load(Bytes(), entries); }
  HWY_INLINE ByteVector look_up(ByteVector index) const { return hn::TableLookupBytes(all, index); }
};
#endif
constexpr std::size_t kFields = kLayout.fields;
constexpr std::size_t kFieldMask = (std::size_t{1} << kLayout.width) - 1;
constexpr std::size_t kWordTables = kFields * kLayout.entries;

FieldLayout field_layout() {
  return kLayout;
}

void quantise_tables(const float* sums, std::span<const std::uint64_t> below,
                     const std::uint64_t* query, float scale, std::uint8_t* tables) {
  const hn::CappedTag<float, 16> real;
  const hn::RebindToSigned<decltype(real)> whole;
  const hn::Rebind<std::uint8_t, decltype(real)> narrow;
  const hn::FixedTag<std::uint8_t, 16> part;
  const auto factor = hn::Set(real, scale);
  const auto most = hn::Set(real, 255.0F);
  for (std::size_t field = 0; field < below.size() * kFields; ++field) {
    HWY_ALIGN std::uint8_t entries[kLayout.entries];
    for (std::size_t i = 0; i < kLayout.entries; i += hn::Lanes(real)) {
      const auto scaled = hn::Min(hn::Mul(hn::LoadU(real, sums + i), factor), most);
      hn::StoreU(hn::DemoteTo(narrow, hn::ConvertTo(whole, scaled)), narrow, entries + i);
    }
    const std::uint64_t word = drop_bit(query[field / kFields], below[field / kFields]);
    const std::size_t pattern = (word >> (kLayout.width * (field % kFields))) & kFieldMask;
    const auto low = static_cast<std::uint8_t>(pattern % 16);
    const auto order = hn::Xor(hn::Iota(part, 0), hn::Set(part, low));
    for (std::size_t i = 0; i < kLayout.entries; i += 16) {
      const auto source = hn::Load(part, entries + (i ^ (pattern - low)));
      hn::Store(hn::TableLookupBytes(source, order), part, tables + i);
    }
    sums += kLayout.entries;
    tables += kLayout.entries;
  }
}

void split_fields(const std::uint64_t* codes, std::span<const std::uint64_t> below,
                  std::uint8_t* split) {
  const hn::CappedTag<std::uint64_t, 8> wide;
  const hn::Rebind<std::uint8_t, decltype(wide)> narrow;
  const std::size_t lanes = hn::Lanes(wide);
  const std::size_t words = below.size();
  const auto mask = hn::Set(wide, kFieldMask);
  for (std::size_t word = 0; word < words; ++word) {
    HWY_ALIGN std::uint64_t column[kBlockRows];
    for (std::size_t row = 0; row < kBlockRows; ++row) {
      column[row] = drop_bit(codes[row * words + word], below[word]);
    }
    for (std::size_t row = 0; row < kBlockRows; row += lanes) {
      const auto bits = hn::Load(wide, column + row);
      std::uint8_t* out =
          split + (row / kSplitCodes * words + word) * kFields * kSplitCodes + row % kSplitCodes;
      for (std::size_t field = 0; field < kFields; ++field) {
        const auto shifted = hn::ShiftRightSame(bits, static_cast<int>(kLayout.width * field));
        hn::StoreU(hn::TruncateTo(narrow, hn::And(shifted, mask)), narrow,
                   out + field * kSplitCodes);
      }
    }
  }
}

/// Sum of the entries of fields kFirst .. kFirst + kCount - 1, saturating.
template <std::size_t kFirst, std::size_t kCount>
HWY_INLINE ByteVector sum_fields(const std::uint8_t* split, const FieldTable* tables) {
  if constexpr (kCount == 1) {
    return tables[kFirst].look_up(hn::Load(Bytes(), split + kFirst * kSplitCodes));
  } else {
    constexpr std::size_t kHalf = kCount / 2;
    return hn::SaturatedAdd(sum_fields<kFirst, kHalf>(split, tables),
                            sum_fields<kFirst + kHalf, kCount - kHalf>(split, tables));
  }
}

HWY_INLINE void load_tables(const std::uint8_t* from, FieldTable* tables) {
#pragma GCC unroll 16
  for (std::size_t field = 0; field < kFields; ++field) {
    tables[field].load(from + field * kLayout.entries);
  }
}

/// Bit i set if byte i of `sums` is at most that of `bound`.
HWY_INLINE std::uint64_t at_most(ByteVector sums, ByteVector bound) {
#if HWY_TARGET <= HWY_AVX3
  return _mm512_cmple_epu8_mask(sums.raw, bound.raw);
#else
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(Bytes(), hn::Eq(hn::Max(sums, bound), bound), bits);
  std::uint64_t word = 0;
  std::memcpy(&word, bits, sizeof(word));
  return word;
#endif
}

/// Codes of one word: the bound fits a byte.  True if any row survives.
HWY_INLINE bool one_word(const std::uint8_t* split, const BoundedQuery& query,
                         const BlockMask& allowed, BlockMask& mask) {
  const Bytes d;
  FieldTable tables[kFields];
  load_tables(query.tables, tables);
  const auto bound = hn::Set(d, static_cast<std::uint8_t>(query.bound));
  std::uint64_t any = 0;
#pragma GCC unroll 1
  for (std::size_t group = 0; group < kBlockRows / 64; ++group) {
    std::uint64_t near = 0;
    for (std::size_t lane = 0; lane < 64; lane += hn::Lanes(d)) {
      near |= at_most(sum_fields<0, kFields>(split + lane, tables), bound) << lane;
    }
    near &= allowed.words[group];
    mask.words[group] = near;
    any |= near;
    split += kFields * kSplitCodes;
  }
  return any != 0;
}

/// Codes of several words: bytes within a word, 16 bits across words.
HWY_INLINE void more_words(const std::uint8_t* split, std::size_t words, const BoundedQuery& query,
                           std::uint8_t* mask) {
  const Bytes d;
  const hn::Repartition<std::uint16_t, Bytes> wide;
  const auto bound = hn::Set(wide, static_cast<std::uint16_t>(query.bound));
  const auto low_bytes = hn::Set(wide, 0x00FF);
  for (std::size_t group = 0; group < kBlockRows; group += 64) {
    for (std::size_t lane = 0; lane < 64; lane += hn::Lanes(d)) {
      auto even = hn::Zero(wide);
      auto odd = hn::Zero(wide);
      for (std::size_t word = 0; word < words; ++word) {
        FieldTable tables[kFields];
        load_tables(query.tables + word * kWordTables, tables);
        const auto sum = hn::BitCast(
            wide, sum_fields<0, kFields>(split + word * kFields * kSplitCodes + lane, tables));
        even = hn::SaturatedAdd(even, hn::And(sum, low_bytes));
        odd = hn::SaturatedAdd(odd, hn::ShiftRight<8>(sum));
      }
      const auto near_even = hn::VecFromMask(wide, hn::Eq(hn::Max(even, bound), bound));
      const auto near_odd = hn::VecFromMask(wide, hn::Eq(hn::Max(odd, bound), bound));
      const auto near =
          hn::BitCast(d, hn::Or(hn::And(near_even, low_bytes), hn::AndNot(low_bytes, near_odd)));
      hn::StoreMaskBits(d, hn::MaskFromVec(near), mask + (group + lane) / 8);
    }
    split += words * kFields * kSplitCodes;
  }
}

void bounded_survivors(const std::uint8_t* split, std::size_t words_per_code,
                       std::span<const BoundedQuery> queries, const BlockMask& allowed,
                       SurvivorLog& log) {
  log_bounded(queries, log, [&](const BoundedQuery& query, BlockMask& mask) {
    if (words_per_code == 1) {
      return one_word(split, query, allowed, mask);
    }
    more_words(split, words_per_code, query, reinterpret_cast<std::uint8_t*>(mask.words));
    return mask.keep(allowed);
  });
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace structhash::search::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash::search {

HWY_EXPORT(field_layout);
HWY_EXPORT(quantise_tables);
HWY_EXPORT(split_fields);
HWY_EXPORT(bounded_survivors);

FieldLayout field_layout() {
  return HWY_DYNAMIC_DISPATCH(field_layout)();
}

void quantise_tables(const float* sums, std::span<const std::uint64_t> below,
                     const std::uint64_t* query, float scale, std::uint8_t* tables) {
  HWY_DYNAMIC_DISPATCH(quantise_tables)(sums, below, query, scale, tables);
}

void split_fields(const std::uint64_t* codes, std::span<const std::uint64_t> below,
                  std::uint8_t* split) {
  HWY_DYNAMIC_DISPATCH(split_fields)(codes, below, split);
}

void bounded_survivors(const std::uint8_t* split, std::size_t words_per_code,
                       std::span<const BoundedQuery> queries, const BlockMask& allowed,
                       SurvivorLog& log) {
  HWY_DYNAMIC_DISPATCH(bounded_survivors)(split, words_per_code, queries, allowed, log);
}

}  // namespace structhash::search
#endif
