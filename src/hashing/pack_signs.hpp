#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "structhash/core/types.hpp"

namespace structhash {

/// Bit i of the result is [ values[i] > 0 ], for up to 64 values.  Comparisons go to bytes, which
/// the compiler vectorises; one product then moves the lowest bits of eight bytes into its top
/// byte: bit 8 k times 2^(56 - 7 k) is bit 56 + k, and no two products meet.
inline std::uint64_t pack_signs(std::span<const float> values) {
  std::array<std::uint8_t, 64> positive{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    positive[i] = values[i] > 0.0F ? 1 : 0;
  }
  std::uint64_t word = 0;
  for (std::size_t byte = 0; byte < 8; ++byte) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, positive.data() + 8 * byte, 8);
    word |= (eight * 0x0102040810204080U >> 56U) << (8 * byte);
  }
  return word;
}

/// The signs of one row of values as the words of a code.
inline void pack_row(const Matrix<float>& values, Index row, std::uint64_t* words) {
  for (Index first = 0; first < values.cols(); first += 64) {
    const Index bits = std::min<Index>(64, values.cols() - first);
    *words++ = pack_signs({&values(row, first), static_cast<std::size_t>(bits)});
  }
}

}  // namespace structhash
