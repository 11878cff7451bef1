#pragma once

#include <cstdint>
#include <span>

#include "search/scan/block_scanner.hpp"

/// Hamming distances of 512 codes at once, bit by bit (docs/search.md): plane i holds bit i of all
/// codes of a block, and adding up the differing bits is an adder built from bitwise operations.
namespace structhash::search {

/// A word of a code is 7 groups of 9 bits and bit 63.  The outputs of the first adders of
/// a group depend on 9 bits of the query only, so a table per block holds them all.  Planes of a
/// group: the parity of all 9 bits (query parity even, odd), the carry of the three triples'
/// parities (8 patterns), the carry of each triple (3 x 8 patterns).
inline constexpr std::size_t kGroups = 7;
inline constexpr std::size_t kGroupPlanes = 2 + 8 + 3 * 8;
inline constexpr std::size_t kPlaneBytes = kBlockRows / 8;
inline constexpr std::size_t kWordTableBytes = (kGroups * kGroupPlanes + 2) * kPlaneBytes;
/// Longer codes use the population count.
inline constexpr std::size_t kMaxSlicedWords = 16;
/// Byte offsets of a query into the table of a word: 5 planes per group, 1 for bit 63.
inline constexpr std::size_t kWordOffsets = 5 * kGroups + 1;

void word_offsets(std::uint64_t query_word, std::uint16_t* offsets);

/// The tables of a block, kWordTableBytes per word; `tables` is aligned to 64 bytes.
void slice_block(const std::uint64_t* codes, std::size_t words_per_code, std::uint8_t* tables);

/// Queries with the same limit, whose constants then stay in registers.
struct SlicedQueries {
  const std::uint16_t* offsets;  // words_per_code x kWordOffsets each
  const std::uint32_t* numbers;  // what the log calls them
  std::size_t count;
  std::int64_t limit;  // 0 .. 64 words_per_code - 1
};

/// Logs the rows at distance at most the limit, and no others.
void sliced_survivors(const std::uint8_t* tables, std::size_t words_per_code,
                      const SlicedQueries& queries, const BlockMask& allowed, SurvivorLog& log);

}  // namespace structhash::search
