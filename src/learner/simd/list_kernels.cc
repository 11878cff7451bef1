#include "learner/simd/list_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learner/simd/list_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace structhash::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Sixteen pairs at a time where a table of sixteen floats is one register, else one by one; the
/// order of the additions of a pair is the same.
void add_nibble_sums(const std::uint64_t* differences, std::size_t items, const float* tables,
                     float* distances) {
  std::size_t l = 0;
#if HWY_TARGET <= HWY_AVX3
  const hn::CappedTag<float, 16> d;
  const hn::RebindToUnsigned<decltype(d)> words;
  const auto nibble = hn::Set(words, 15U);
  for (; l + 16 <= items; l += 16) {
    // Sixteen 64-bit differences as sixteen low and sixteen high halves.
    const auto* halves = reinterpret_cast<const std::uint32_t*>(differences + l);
    const auto first = hn::LoadU(words, halves);
    const auto second = hn::LoadU(words, halves + 16);
    auto low = hn::ConcatEven(words, second, first);
    auto high = hn::ConcatOdd(words, second, first);
    auto sum = hn::LoadU(d, distances + l);
    for (std::size_t n = 0; n < 8; ++n) {
      const auto table = hn::LoadU(d, tables + 16 * n);
      sum = hn::Add(sum, hn::TableLookupLanes(table, hn::IndicesFromVec(d, hn::And(low, nibble))));
      low = hn::ShiftRight<4>(low);
    }
    for (std::size_t n = 8; n < 16; ++n) {
      const auto table = hn::LoadU(d, tables + 16 * n);
      sum = hn::Add(sum, hn::TableLookupLanes(table, hn::IndicesFromVec(d, hn::And(high, nibble))));
      high = hn::ShiftRight<4>(high);
    }
    hn::StoreU(sum, d, distances + l);
  }
#endif
  for (; l < items; ++l) {
    float sum = distances[l];
    std::uint64_t difference = differences[l];
    for (std::size_t n = 0; n < 16; ++n) {
      sum += tables[16 * n + (difference & 15U)];
      difference >>= 4U;
    }
    distances[l] = sum;
  }
}

/// Four vectors of counters stay in registers while the items pass by.
void add_bit_counts(const std::uint64_t* differences, const std::int32_t* signed_counts,
                    std::size_t items, std::int32_t* counts) {
  const hn::CappedTag<std::int32_t, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t bit = 0; bit < 64; bit += 4 * lanes) {
    auto sum0 = hn::LoadU(d, counts + bit);
    auto sum1 = hn::LoadU(d, counts + bit + lanes);
    auto sum2 = hn::LoadU(d, counts + bit + 2 * lanes);
    auto sum3 = hn::LoadU(d, counts + bit + 3 * lanes);
    const auto mask_at = [&](std::uint64_t difference, std::size_t first) {
      const std::uint64_t bits = difference >> first;
      return hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
    };
    for (std::size_t l = 0; l < items; ++l) {
      const std::uint64_t difference = differences[l];
      const auto count = hn::Set(d, signed_counts[l]);
      sum0 = hn::Add(sum0, hn::IfThenElseZero(mask_at(difference, bit), count));
      sum1 = hn::Add(sum1, hn::IfThenElseZero(mask_at(difference, bit + lanes), count));
      sum2 = hn::Add(sum2, hn::IfThenElseZero(mask_at(difference, bit + 2 * lanes), count));
      sum3 = hn::Add(sum3, hn::IfThenElseZero(mask_at(difference, bit + 3 * lanes), count));
    }
    hn::StoreU(sum0, d, counts + bit);
    hn::StoreU(sum1, d, counts + bit + lanes);
    hn::StoreU(sum2, d, counts + bit + 2 * lanes);
    hn::StoreU(sum3, d, counts + bit + 3 * lanes);
  }
}

}  // namespace structhash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace structhash {
HWY_EXPORT(add_nibble_sums);
HWY_EXPORT(add_bit_counts);

namespace simd {

void add_nibble_sums(const std::uint64_t* differences, std::size_t items, const float* tables,
                     float* distances) {
  HWY_DYNAMIC_DISPATCH(add_nibble_sums)(differences, items, tables, distances);
}

void add_bit_counts(const std::uint64_t* differences, const std::int32_t* signed_counts,
                    std::size_t items, std::int32_t* counts) {
  HWY_DYNAMIC_DISPATCH(add_bit_counts)(differences, signed_counts, items, counts);
}

}  // namespace simd
}  // namespace structhash
#endif
