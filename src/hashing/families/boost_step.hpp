#pragma once

#include <span>
#include <vector>

#include "hashing/families/binned_features.hpp"
#include "hashing/families/tree.hpp"
#include "hashing/hash_family.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/rng.hpp"

/// Boosting of trees, shared by StructHash and FastHash: one step, and the encoder in the end.
namespace structhash {

/// A share of a population, at least `min` of it; ascending.
std::vector<Index> sorted_sample(Index population, double share, Index min, Rng& rng);

/// Trees of one bit so far.
struct BoostedTrees {
  BoostedTrees(Index depth, Index rows)
      : trees{.depth = depth, .columns = {}, .thresholds = {}, .leaves = {}},
        sums(static_cast<std::size_t>(rows), 0.0F) {}
  TreeTable trees;
  std::vector<float> sums;  // of the leaves that a training row reaches
};

/// What the next tree is fitted to.
struct BoostTarget {
  std::span<const float> field;  // h: the wanted sign of every training row, times its weight
  std::span<const Index> bag;    // rows the tree may see
};

/// Appends one tree.  With s = tanh(sums),
///
///   pull_p = h_p - |h_p| s_p,    curvature_p = |h_p| (1 - s_p^2)
///
/// are the derivatives of the logistic loss of the label sign(h_p) with weight |h_p|.
void boost_step(const BinnedFeatures& data, const TreeFamilyParams& params,
                const BoostTarget& target, Rng& rng, Threads threads, BoostedTrees& boosted);

/// The bit [ sum > 0 ] of every row; its edge is left at 0.
LearnedBit bit_of(BoostedTrees boosted);

/// Bits that are all TreeFunctions of this depth, as one encoder.
TreeEncoder assemble_trees(Index inputs, Index depth, std::span<const LearnedBit> bits);

}  // namespace structhash
