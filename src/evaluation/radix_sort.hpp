#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace structhash {

/// Sorts items by an unsigned key of `bits` bits, stably: least significant digit first, one pass
/// per digit of 11 bits.  Digits in which all keys agree cost nothing.  O(items) in time and
/// memory.
template <typename Item, typename Key>
void radix_sort(std::vector<Item>& items, std::vector<Item>& scratch, unsigned bits, Key key) {
  constexpr unsigned kDigitBits = 11;
  constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
  const unsigned passes = (bits + kDigitBits - 1) / kDigitBits;
  std::vector<std::array<std::size_t, kDigits>> starts(passes);
  const auto digit = [&](const Item& item, unsigned pass) {
    return static_cast<std::size_t>(key(item) >> (pass * kDigitBits)) & (kDigits - 1);
  };
  for (const Item& item : items) {
    for (unsigned pass = 0; pass < passes; ++pass) {
      ++starts[pass][digit(item, pass)];
    }
  }
  scratch.resize(items.size());
  for (unsigned pass = 0; pass < passes; ++pass) {
    std::array<std::size_t, kDigits>& start = starts[pass];
    if (items.empty() || start[digit(items.front(), pass)] == items.size()) {
      continue;
    }
    std::size_t next = 0;
    for (std::size_t& position : start) {
      position = std::exchange(next, next + position);
    }
    for (const Item& item : items) {
      scratch[start[digit(item, pass)]++] = item;
    }
    items.swap(scratch);
  }
}

}  // namespace structhash
