#pragma once

#include "ranking/gain_table.hpp"

/// src/reference: slow, plain forms of the formulas in docs/methods.md.
///
/// The library never calls them.  The tests compare the fast production code with them, and readers
/// can start here: docs/paper_map.md names for each equation the production function and its
/// reference.  The folder is a library of its own, structhash_reference, and is not installed.
namespace structhash::reference {

/// A ranking in which each group keeps its own order: before(j - 1) = i_j, non-decreasing.
struct Interleaving {
  Vector<Index> before;
};

double score(const GainTable& gains, const Interleaving& y);  // in [0, 1], higher is better
double loss(const GainTable& gains, const Interleaving& y);   // 1 - score, Eq. (18)

}  // namespace structhash::reference
