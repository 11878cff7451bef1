#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// A sorting network: comparisons fixed in advance, so that every vector lane can sort its own list
/// at the same time and no branch depends on the data.
namespace structhash::simd {

struct Comparator {  // puts the smaller of the two at `low`
  std::uint32_t low;
  std::uint32_t high;
};

/// Batcher's odd-even merge sort for n items (Knuth, The Art of Computer Programming 3, 5.2.2,
/// algorithm M): about n (log2 n)^2 / 4 comparators.  Item i is at offset i * stride.
std::vector<Comparator> sorting_network(std::size_t n, std::size_t stride);

}  // namespace structhash::simd
