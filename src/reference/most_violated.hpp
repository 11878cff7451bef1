#pragma once

#include "reference/interleaving.hpp"

/// The row oracle for one list: the ranking that violates its constraint most.  Production code:
/// ranking/row_oracle.hpp.
namespace structhash::reference {

/// Most violated ranking, Eq. (11), exactly, for any table of gains (docs/methods.md B.1, B.2).
///
///   max_{0 <= i_1 <= ... <= i_P <= N}  sum_j cell(j, i_j)
///   cell(j, i) = -gain(j, i) + 2/(P N) * sum_{k <= i} (d_j - e_k)
///
/// d, e: finite distances of the relevant and the irrelevant items, each ascending.
/// Why it is enough: putting two items of one group in order of distance never lowers the sum, so
/// only the counts i_j are free; the constant of the loss is left out.
/// Ties take the larger i (more irrelevant items first): at w = 0 every pair informs the bit.
/// Cost: O(P N) time and memory; for AUC O(P + N).
Interleaving most_violated(const GainTable& gains, const VectorView& relevant,
                           const VectorView& irrelevant);

/// The dynamic programme alone, for any measure.
Interleaving most_violated_programme(const GainTable& gains, const VectorView& relevant,
                                     const VectorView& irrelevant);

/// The fast path for AUC (docs/methods.md B.3).  Mis-ordering pair (j, k) gains 1 in loss and
/// 2 (d_j - e_k) in margin, both over P N, so it pays exactly when e_k <= d_j + 1/2 (the tie goes
/// to the irrelevant item), and the counts are monotone in j.  O(P + N).
Interleaving most_violated_pairs(const VectorView& relevant, const VectorView& irrelevant);

}  // namespace structhash::reference
