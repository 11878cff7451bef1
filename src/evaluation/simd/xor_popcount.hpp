#pragma once

#include <cstddef>
#include <cstdint>

namespace structhash {

/// counts[i] = number of bits in which words[i] and pattern[i mod period] differ.
void xor_popcount(const std::uint64_t* words, std::size_t count, const std::uint64_t* pattern,
                  std::size_t period, std::uint8_t* counts);

}  // namespace structhash
