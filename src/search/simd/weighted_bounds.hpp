#pragma once

#include <cstdint>
#include <span>

#include "search/block_scanner.hpp"

/// Lower bounds of weighted distances from small tables of bytes (docs/search.md).
namespace structhash::scan {

/// A word is cut into fields of `width` bits, the last one perhaps shorter: 11 of 6 bits where a
/// byte can be looked up among 64 (AVX-512 VBMI), else 16 of 4 bits.
struct FieldLayout {
  std::size_t fields;
  std::size_t width;
};
FieldLayout field_layout();

inline constexpr std::size_t kTableEntries = 64;  // one table per field; 16 entries stand 4 times

/// table[x] = min(255, floor(scale * sums[x xor pattern])) for every field, where `pattern` is the
/// field of the query: what a code with field x adds to the bound.  `sums`: kTableEntries each.
void quantise_tables(const float* sums, std::size_t words_per_code, const std::uint64_t* query,
                     float scale, std::uint8_t* tables);

/// The fields of a block of codes, a byte each; field f of word w of codes 64 g .. 64 g + 63 at
/// 64 * ((g * words + w) * fields + f).
void split_fields(const std::uint64_t* codes, std::size_t words_per_code, std::uint8_t* split);

struct BoundedQuery {
  const std::uint8_t* tables = nullptr;  // aligned to 64 bytes
  std::int32_t bound = -1;               // rows whose entries add up to more are out; negative: all
};

/// Logs the rows whose bound is at most that of query i.  Sums of a word saturate at 255, sums of
/// several words at 65535: bounds stay below.
void bounded_survivors(const std::uint8_t* split, std::size_t words_per_code,
                       std::span<const BoundedQuery> queries, const BlockMask& allowed,
                       SurvivorLog& log);

}  // namespace structhash::scan
