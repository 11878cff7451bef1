#pragma once

#include <cstdint>
#include <span>

#include "search/scan/block_scanner.hpp"

namespace structhash::search {

/// Logs the rows of a block at Hamming distance at most `limits[i]` from query i, and no others.
/// For few queries: codes are read in their stored layout.
void popcount_survivors(const std::uint64_t* codes, std::size_t words_per_code,
                        std::span<const std::uint64_t* const> queries,
                        std::span<const std::int64_t> limits, const BlockMask& allowed,
                        SurvivorLog& log);

}  // namespace structhash::search
