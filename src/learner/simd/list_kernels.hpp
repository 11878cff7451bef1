#pragma once

#include <cstddef>
#include <cstdint>

/// The two inner loops of a cutting-plane pass, over the items of one list and one 64-bit word of
/// their differences to the query.  Integers, or floats added in a fixed order: every instruction
/// set gives the same bytes.
namespace structhash::simd {

/// distances[l] += sum_n tables[16 n + nibble n of differences[l]],  n = 0..15.
void add_nibble_sums(const std::uint64_t* differences, std::size_t items, const float* tables,
                     float* distances);

/// counts[b] += sum of signed_counts[l] over the items l whose difference has bit b, b = 0..63.
void add_bit_counts(const std::uint64_t* differences, const std::int32_t* signed_counts,
                    std::size_t items, std::int32_t* counts);

}  // namespace structhash::simd
