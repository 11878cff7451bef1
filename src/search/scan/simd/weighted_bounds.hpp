#pragma once

#include <cstdint>
#include <span>

#include "search/scan/block_scanner.hpp"

/// Lower bounds of weighted distances from small tables of bytes (docs/search.md).
namespace structhash::search {

/// A word is cut into fields of `width` bits.  Where a byte can be looked up among 128 (AVX-512
/// VBMI) these are 9 of 7 bits; the lightest bit of the word is dropped, which only lowers the
/// bound.  Else 16 of 4 bits, whose tables are repeated 4 times to fill any vector.
struct FieldLayout {
  std::size_t fields;
  std::size_t width;
  std::size_t entries;  // of a table, one table per field
  bool drops_a_bit;
};
FieldLayout field_layout();

/// A word without the bit above those of `below`; all bits if that is all ones.
inline std::uint64_t drop_bit(std::uint64_t word, std::uint64_t below) {
  return (word & below) | ((word >> 1U) & ~below);
}

/// table[x] = min(255, floor(scale * sums[x xor pattern])) for every field, where `pattern` is the
/// field of the query: what a code with field x adds to the bound.  `below`: one per word.
void quantise_tables(const float* sums, std::span<const std::uint64_t> below,
                     const std::uint64_t* query, float scale, std::uint8_t* tables);

inline constexpr std::size_t kSplitCodes = 64;

/// The fields of a block of codes, a byte each; field f of word w of codes 64 g .. 64 g + 63 at
/// 64 * ((g * words + w) * fields + f).
void split_fields(const std::uint64_t* codes, std::span<const std::uint64_t> below,
                  std::uint8_t* split);

struct BoundedQuery {
  const std::uint8_t* tables = nullptr;  // aligned to 64 bytes
  std::int32_t bound = -1;               // max sum of entries of a row; negative: no row passes
};

/// Calls fill(query, mask) for every query with a bound, and logs the query if it returns true.
template <typename Fill>
void log_bounded(std::span<const BoundedQuery> queries, SurvivorLog& log, const Fill& fill) {
  for (std::size_t query = 0; query < queries.size(); ++query) {
    if (queries[query].bound >= 0) {
      const bool any = fill(queries[query], log.next_mask());
      log.keep_if(any, static_cast<std::uint32_t>(query));
    }
  }
}

/// Logs the rows whose bound is at most that of query i.  Sums of a word saturate at 255, sums of
/// several words at 65535: bounds stay below.
void bounded_survivors(const std::uint8_t* split, std::size_t words_per_code,
                       std::span<const BoundedQuery> queries, const BlockMask& allowed,
                       SurvivorLog& log);

}  // namespace structhash::search
