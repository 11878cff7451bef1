#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learner/list_table.hpp"
#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/parallel.hpp"

/// Rows of the linear programme: one ranking for every list at once, Eq. (10b).
namespace structhash {

/// One constraint (10b), independent of the bits: per pair the number of items of the other group
/// on its wrong side.  A count is low + 256 high; `high` is empty while lists are short enough.
struct CuttingPlane {
  std::vector<std::uint8_t> low;
  std::vector<std::uint8_t> high;
  double loss = 0.0;          // weighted mean of the lists' losses: the right-hand side of (10b)
  std::vector<double> point;  // the weights it was found at: enough to find it again
};

/// A plane and its left-hand side for the current bits.
struct ViolatedPlane {
  CuttingPlane plane;
  std::vector<double> coefficients;  // G[b] = sum_lists weight * delta psi [b], docs/methods.md A.7
};

/// The constraint (10b) most violated at the given weights, Eq. (11), list by list.
/// codes: the bits of every training row so far; weights: one per bit.
/// Cost: one pass over the pairs.
ViolatedPlane most_violated_plane(const ListTable& lists, const CodeMatrix& codes,
                                  std::span<const double> weights, Threads threads);

/// Coefficients of one new bit in every plane: G_t[b], docs/methods.md A.7.
/// signs: the bit of every training row as +1 or -1.
std::vector<double> bit_coefficients(const ListTable& lists, std::span<const CuttingPlane> planes,
                                     std::span<const std::int8_t> signs, Threads threads);

/// The objective of the column subproblem for one bit,  F = 1/2 sum_{pairs} A(q, l) s_q s_l.
double pair_objective(const ListTable& lists, std::span<const float> pair_weights,
                      std::span<const std::int8_t> signs, Threads threads);

/// Weights of the column subproblem, Eq. (14)-(16), one per pair (docs/methods.md A.8):
///
///   A(q, l) = sum_t dual_t a_t(q, l),    a = + scale * inversions for a relevant item,
///                                            - scale * inversions for an irrelevant one
std::vector<float> pair_weights(const ListTable& lists, std::span<const CuttingPlane> planes,
                                std::span<const double> duals, Threads threads);

}  // namespace structhash
