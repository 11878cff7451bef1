#pragma once

#include <span>
#include <vector>

#include "hashing/families/binned_features.hpp"
#include "hashing/families/tree.hpp"
#include "hashing/hash_family.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"

/// What every method that boosts trees shares: one step, and the encoder of the bits in the end.
namespace structhash {

/// A share of a population, but at least `fewest` of it; ascending.
std::vector<Index> sorted_sample(Index population, double share, Index fewest, Rng& rng);

/// Appends one tree to the sums f.  field: what every row should be, and how much it matters, as
/// sign and size.  With s = tanh(f),
///
///   pull_p = h_p - |h_p| s_p,    curvature_p = |h_p| (1 - s_p^2)
///
/// are the derivatives of the logistic loss of the label sign(h_p) with weight |h_p|.
void boost_step(const BinnedFeatures& data, const TreeFamilyParams& params,
                std::span<const float> field, std::span<const Index> bag, Rng& rng, Threads threads,
                TreeTable& trees, std::span<float> f);

/// Bits that are all TreeFunctions of this depth, as one encoder.
TreeEncoder assemble_trees(Index inputs, Index depth, std::span<const LearnedBit> bits);

}  // namespace structhash
