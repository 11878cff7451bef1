#include "search/scan/simd/bit_sliced.hpp"

#include <bit>

#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/scan/simd/bit_sliced.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace structhash::search::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Plane = hn::CappedTag<std::uint64_t, 8>;  // 512 bits, or a part of them
using Bits = hn::Vec<Plane>;

/// Carry and sum of a full adder in every bit.  AVX-512 has any function of three inputs as one
/// instruction.
HWY_INLINE Bits carry_of(Bits a, Bits b, Bits c) {
#if HWY_TARGET <= HWY_AVX3
  return Bits{_mm512_ternarylogic_epi64(a.raw, b.raw, c.raw, 0xE8)};
#else
  return hn::Or(hn::And(a, b), hn::And(hn::Xor(a, b), c));
#endif
}

HWY_INLINE Bits sum_of(Bits a, Bits b, Bits c) {
#if HWY_TARGET <= HWY_AVX3
  return Bits{_mm512_ternarylogic_epi64(a.raw, b.raw, c.raw, 0x96)};
#else
  return hn::Xor(hn::Xor(a, b), c);
#endif
}

/// 64 x 64 bits turned over in each of 8 columns: afterwards rows[i] holds bit i of all codes.
/// Swaps blocks off the diagonal, of half the size in every step (Warren, Hacker's Delight, 7-3).
void transpose(std::uint64_t (*rows)[8]) {
  const Plane d;
  std::uint64_t low_half = 0x00000000FFFFFFFFU;
  for (int size = 32; size > 0; size /= 2, low_half ^= low_half << size) {
    const auto keep = hn::Set(d, low_half);
    for (int row = 0; row < 64; row = (row + size + 1) & ~size) {
      for (std::size_t lane = 0; lane < 8; lane += hn::Lanes(d)) {
        const auto upper = hn::Load(d, rows[row] + lane);
        const auto lower = hn::Load(d, rows[row + size] + lane);
        const auto swapped = hn::And(hn::Xor(hn::ShiftRightSame(upper, size), lower), keep);
        hn::Store(hn::Xor(upper, hn::ShiftLeftSame(swapped, size)), d, rows[row] + lane);
        hn::Store(hn::Xor(lower, swapped), d, rows[row + size] + lane);
      }
    }
  }
}

/// The carry of three bits for all 8 patterns of flips: flipping all three flips the carry.
HWY_INLINE void store_carries(Bits a, Bits b, Bits c, std::uint64_t* planes) {
  const Plane d;
  const Bits carries[4] = {carry_of(a, b, c), carry_of(hn::Not(a), b, c),
                           carry_of(a, hn::Not(b), c), carry_of(a, b, hn::Not(c))};
  const std::size_t patterns[4] = {0, 1, 2, 4};
  for (std::size_t i = 0; i < 4; ++i) {
    hn::Store(carries[i], d, planes + 8 * patterns[i]);
    hn::Store(hn::Not(carries[i]), d, planes + 8 * (7 - patterns[i]));
  }
}

void word_table(const std::uint64_t (*planes)[8], std::uint64_t* table) {
  const Plane d;
  for (std::size_t lane = 0; lane < 8; lane += hn::Lanes(d)) {
    for (std::size_t group = 0; group < kGroups; ++group) {
      std::uint64_t* out = table + group * kGroupPlanes * 8 + lane;
      Bits parity[3];
      for (std::size_t triple = 0; triple < 3; ++triple) {
        const auto* plane = planes + 9 * group + 3 * triple;
        const auto a = hn::Load(d, plane[0] + lane);
        const auto b = hn::Load(d, plane[1] + lane);
        const auto c = hn::Load(d, plane[2] + lane);
        parity[triple] = sum_of(a, b, c);
        store_carries(a, b, c, out + (10 + 8 * triple) * 8);
      }
      const auto all = sum_of(parity[0], parity[1], parity[2]);
      hn::Store(all, d, out);
      hn::Store(hn::Not(all), d, out + 8);
      store_carries(parity[0], parity[1], parity[2], out + std::size_t{2} * 8);
    }
    std::uint64_t* out = table + kGroups * kGroupPlanes * 8 + lane;
    const auto last = hn::Load(d, planes[63] + lane);
    hn::Store(last, d, out);
    hn::Store(hn::Not(last), d, out + 8);
  }
}

void slice_block(const std::uint64_t* codes, std::size_t words_per_code, std::uint8_t* tables) {
  HWY_ALIGN std::uint64_t planes[64][8];
  for (std::size_t word = 0; word < words_per_code; ++word) {
    for (std::size_t lane = 0; lane < 8; ++lane) {
      for (std::size_t row = 0; row < 64; ++row) {
        planes[row][lane] = codes[(64 * lane + row) * words_per_code + word];
      }
    }
    transpose(planes);
    word_table(planes, reinterpret_cast<std::uint64_t*>(tables + word * kWordTableBytes));
  }
}

/// Six counters of weight 1, 2, .. 32, one bit per code, and the adders that feed them from the
/// table of a word.  Inputs of weight 2 come in quarters of 8, each summed up before the next: few
/// registers are live at a time.
struct WordAdder {
  Bits digit[6];
  const std::uint8_t* table;
  const std::uint16_t* offsets;

  HWY_INLINE Bits look(std::size_t i) const {
    return hn::Load(Plane(), reinterpret_cast<const std::uint64_t*>(table + offsets[i]));
  }
  HWY_INLINE Bits parity(std::size_t group) const { return look(5 * group); }

  /// Adds two bits of the weight of digit kDigit; the carry has twice the weight.
  template <int kDigit>
  HWY_INLINE Bits carry(Bits a, Bits b) {
    const Bits out = carry_of(digit[kDigit], a, b);
    digit[kDigit] = sum_of(digit[kDigit], a, b);
    return out;
  }
  /// The carries of one group; the result has weight 8.
  HWY_INLINE Bits add_group(std::size_t group) {
    const std::size_t i = 5 * group + 1;
    const Bits first = carry<1>(look(i), look(i + 1));
    return carry<2>(first, carry<1>(look(i + 2), look(i + 3)));
  }
  /// The carries of two groups; the result has weight 16.
  HWY_INLINE Bits add_groups(std::size_t group) {
    const Bits first = add_group(group);
    return carry<3>(first, add_group(group + 1));
  }
  /// The parities of all groups and bit 63; the result has weight 8.
  HWY_INLINE Bits add_parities() {
    const Bits a = carry<0>(look(5 * kGroups), parity(0));
    const Bits ab = carry<1>(a, carry<0>(parity(1), parity(2)));
    const Bits c = carry<0>(parity(3), parity(4));
    return carry<2>(ab, carry<1>(c, carry<0>(parity(5), parity(6))));
  }
  /// Adds the differing bits of the word, modulo 64; returns the carry of weight 64.
  HWY_INLINE Bits add_word() {
    const Bits first = add_groups(0);
    const Bits half = carry<4>(first, add_groups(2));
    const Bits third = add_groups(4);
    const Bits last_group = add_group(6);
    const Bits fourth = carry<3>(last_group, add_parities());
    return carry<5>(half, carry<4>(third, fourth));
  }
};

/// Bit set where the distance exceeds the limit.  The sum starts from 2^p - 1 - limit, with 2^p the
/// least power of two that no limit reaches (64 for one word): it arrives at 2^p exactly then.
/// kHigher digits of weight 64 and more count what the words carry out.
template <std::size_t kHigher>
HWY_INLINE Bits exceeds(const std::uint8_t* tables, std::size_t words, const std::uint16_t* offsets,
                        const Bits* start) {
  const Plane d;
  WordAdder sum{{start[0], start[1], start[2], start[3], start[4], start[5]}, tables, offsets};
  if constexpr (kHigher == 0) {
    return sum.add_word();
  } else {
    Bits higher[kHigher];
    for (std::size_t digit = 0; digit < kHigher; ++digit) {
      higher[digit] = start[6 + digit];
    }
    Bits over = hn::Zero(d);
    for (std::size_t word = 0; word < words; ++word) {
      Bits carry = sum.add_word();
      for (std::size_t digit = 0; digit < kHigher; ++digit) {
        const Bits next = hn::And(higher[digit], carry);
        higher[digit] = hn::Xor(higher[digit], carry);
        carry = next;
      }
      over = hn::Or(over, carry);
      sum.table += kWordTableBytes;
      sum.offsets += kWordOffsets;
    }
    return over;
  }
}

constexpr std::size_t kHigherDigits = 4;
static_assert(std::size_t{1} << kHigherDigits >= kMaxSlicedWords);

template <std::size_t kHigher>
void survivors(const std::uint8_t* tables, std::size_t words, const SlicedQueries& queries,
               const BlockMask& allowed, SurvivorLog& log) {
  const Plane d;
  const auto start = (std::int64_t{64} << kHigher) - 1 - queries.limit;
  Bits digits[6 + kHigher];
  for (std::size_t digit = 0; digit < 6 + kHigher; ++digit) {
    digits[digit] = hn::Set(d, ((start >> digit) & 1) != 0 ? ~std::uint64_t{0} : 0);
  }
  for (std::size_t i = 0; i < queries.count; ++i) {
    const std::uint16_t* offsets = queries.offsets + i * words * kWordOffsets;
    std::uint64_t* mask = log.next_mask().words;
    auto any = hn::Zero(d);
    for (std::size_t lane = 0; lane < 8; lane += hn::Lanes(d)) {
      const auto far = exceeds<kHigher>(tables + 8 * lane, words, offsets, digits);
      const auto near = hn::AndNot(far, hn::Load(d, allowed.words + lane));
      hn::Store(near, d, mask + lane);
      any = hn::Or(any, near);
    }
    log.keep_if(!hn::AllTrue(d, hn::Eq(any, hn::Zero(d))), queries.numbers[i]);
  }
}

void sliced_survivors(const std::uint8_t* tables, std::size_t words, const SlicedQueries& queries,
                      const BlockMask& allowed, SurvivorLog& log) {
  if (words == 1) {
    survivors<0>(tables, words, queries, allowed, log);
  } else {
    survivors<kHigherDigits>(tables, words, queries, allowed, log);
  }
}

}  // namespace structhash::search::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash::search {

HWY_EXPORT(slice_block);
HWY_EXPORT(sliced_survivors);

void slice_block(const std::uint64_t* codes, std::size_t words_per_code, std::uint8_t* tables) {
  HWY_DYNAMIC_DISPATCH(slice_block)(codes, words_per_code, tables);
}

void sliced_survivors(const std::uint8_t* tables, std::size_t words_per_code,
                      const SlicedQueries& queries, const BlockMask& allowed, SurvivorLog& log) {
  HWY_DYNAMIC_DISPATCH(sliced_survivors)(tables, words_per_code, queries, allowed, log);
}

void word_offsets(std::uint64_t query_word, std::uint16_t* offsets) {
  const auto place = [](std::size_t group, std::size_t plane) {
    return static_cast<std::uint16_t>((group * kGroupPlanes + plane) * kPlaneBytes);
  };
  for (std::size_t group = 0; group < kGroups; ++group) {
    std::size_t parities = 0;
    for (std::size_t triple = 0; triple < 3; ++triple) {
      const std::size_t pattern = (query_word >> (9 * group + 3 * triple)) & 7U;
      parities |= static_cast<std::size_t>(std::popcount(pattern) & 1) << triple;
      offsets[2 + triple] = place(group, 10 + 8 * triple + pattern);
    }
    offsets[0] = place(group, static_cast<std::size_t>(std::popcount(parities) & 1));
    offsets[1] = place(group, 2 + parities);
    offsets += 5;
  }
  offsets[0] = place(kGroups, query_word >> 63U);
}

}  // namespace structhash::search
#endif
