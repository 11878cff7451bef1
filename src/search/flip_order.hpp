#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// All ways to flip bits of a substring, cheapest first.  The weights of the bits decide, not the
/// query, so that one list serves every search; plain Hamming distance is a weight of 1 everywhere.
namespace structhash {

/// A stretch of the list: it ends before `end`, and every later way costs at least `next_cost`.
struct FlipStep {
  std::size_t end = 0;
  double next_cost = 0.0;  // infinite behind the last of all ways
};

struct FlipOrder {
  std::vector<std::uint32_t> masks;  // bits to flip, in order of the sum of their weights
  std::vector<FlipStep> steps;       // each longer than the one before; equal costs stay together
};

/// The first `most` ways (at least 1), or all 2^bits of them.
FlipOrder make_flip_order(std::span<const float> bit_weights, std::size_t most);

}  // namespace structhash
