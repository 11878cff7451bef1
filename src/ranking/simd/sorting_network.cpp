#include "ranking/simd/sorting_network.hpp"

#include <bit>

namespace structhash::simd {

std::vector<Comparator> sorting_network(std::size_t n, std::size_t stride) {
  std::vector<Comparator> network;
  if (n < 2) {
    return network;
  }
  const auto log = static_cast<std::size_t>(std::bit_width(n - 1));
  network.reserve(n * (log * log - log + 4) / 4);
  const std::size_t top = std::bit_ceil(n) / 2;
  for (std::size_t p = top; p > 0; p /= 2) {  // sorts runs interleaved at distance p
    std::size_t distance = p;
    std::size_t phase = 0;
    for (std::size_t q = top;; q /= 2) {  // merges them
      for (std::size_t i = 0; i + distance < n; ++i) {
        if ((i & p) == phase) {
          network.push_back({static_cast<std::uint32_t>(i * stride),
                             static_cast<std::uint32_t>((i + distance) * stride)});
        }
      }
      if (q == p) {
        break;
      }
      distance = q - p;
      phase = p;
    }
  }
  return network;
}

}  // namespace structhash::simd
