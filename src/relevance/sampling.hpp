#pragma once

#include <span>
#include <vector>

#include "structhash/core/rng.hpp"

/// Uniform samples without replacement, in ascending order, capped at what there is.
namespace structhash {

std::vector<Index> sample_of(std::span<const Index> items, Index count, Rng& rng);

/// From 0..population-1 without the `excluded` (ascending, distinct): O(count log excluded).
std::vector<Index> sample_outside(Index population, std::span<const Index> excluded, Index count,
                                  Rng& rng);

}  // namespace structhash
