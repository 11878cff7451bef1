#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// All masks of bits to flip in a substring, cheapest first.  The order depends on the bit weights
/// alone, so one list serves every query; plain Hamming distance is a weight of 1 for every bit.
namespace structhash::search {

/// Part of the list: it ends before `end`, and every later mask costs at least `next_cost`.
struct FlipStep {
  std::size_t end = 0;
  double next_cost = 0.0;  // infinite after the last of all masks
};

struct FlipOrder {
  std::vector<std::uint32_t> masks;  // bits to flip, in order of the sum of their weights
  std::vector<FlipStep> steps;       // each longer than the one before; equal costs stay together
};

/// The first `max_masks` masks (at least 1), or all 2^bits of them.
FlipOrder make_flip_order(std::span<const float> bit_weights, std::size_t max_masks);

}  // namespace structhash::search
