#pragma once

#include <cstddef>
#include <cstdint>

namespace structhash::search {

/// distances[i] = number of bits in which code rows[i] differs from the query.
void row_distances(const std::uint64_t* words, std::size_t words_per_code,
                   const std::uint32_t* rows, std::size_t count, const std::uint64_t* query,
                   float* distances);

}  // namespace structhash::search
