#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/interleaving.hpp"

/// The feature difference of a ranking, collapsed to one number per list item (docs/methods.md
/// A.7): Eq. (13) sums over mis-ordered pairs, but all terms of an item are equal, so only their
/// number counts.
///
///   NB_j = irrelevant items ranked before relevant item j
///   PA_k = relevant items ranked after irrelevant item k
///   a_l  = +2/(P N) NB_l if l is relevant, -2/(P N) PA_l if it is irrelevant;  sum_l a_l = 0
///
///   delta psi(y)[b] = -sum_l a_l |h_b(query) - h_b(l)|          w' delta psi = -sum_l a_l d(l)
namespace structhash::reference {

/// NB of the P relevant items, then PA of the N irrelevant ones, each group nearest first.
/// O(P + N).
std::vector<std::uint16_t> inversions(const Interleaving& y, Index irrelevant);

/// The coefficients a_l of a list from its inversions (relevant items first), times the weight of
/// the list: a weight scales the list's part of a plane and nothing else.
Vector<double> joint_coefficients(std::span<const std::uint16_t> inversions, Index relevant,
                                  double weight = 1.0);

}  // namespace structhash::reference
