#pragma once

#include <cstdint>
#include <span>

#include "search/scan/simd/weighted_bounds.hpp"

/// Lower bounds of weighted distances for few queries: codes are read in their stored layout.
/// Needs byte look-ups among 128 (AVX-512 VBMI).
namespace structhash::search {

/// Two tables per word, of the low and of the high half of every byte; 8 x 16 entries each.
inline constexpr std::size_t kDirectTableBytes = 256;

/// True if this CPU and this length of codes allow it.
bool can_bound_directly(std::size_t words_per_code);

/// table[x] = min(255, floor(scale * sums[x xor pattern])); `sums`: 16 per half byte, low one
/// first.
void direct_tables(const float* sums, std::size_t words_per_code, const std::uint64_t* query,
                   float scale, std::uint8_t* tables);

/// As bounded_survivors; sums do not saturate, only the two entries of a byte do at 255.
void direct_survivors(const std::uint64_t* codes, std::size_t words_per_code,
                      std::span<const BoundedQuery> queries, const BlockMask& allowed,
                      SurvivorLog& log);

}  // namespace structhash::search
