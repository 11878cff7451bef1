#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hashing/families/binned_features.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/hashing/encoders.hpp"

/// One regression tree: the step of gradient boosting in function space.
namespace structhash {

struct GrowerParams {
  Index depth = 4;          // levels of splits
  double damping = 1.0;     // > 0: added to the curvature of every leaf
  Index min_leaf_rows = 5;  // on either side of a split
  double rate = 0.3;        // leaves are shrunk by this factor
};

/// Rows a tree is fitted to: minus the first and second derivative of a loss, for `rows` only.
struct GrowerTarget {
  std::span<const float> pull;       // one per training row: the direction of descent
  std::span<const float> curvature;  // > 0, one per training row
  std::span<const std::int32_t> rows;
  std::span<const Index> features;  // that may split
};

/// Appends to `trees` the tree that greedily maximises, split by split,
///
///   sum over leaves  G^2 / (H + damping),    G, H: sums of pull and curvature in the leaf,
///
/// with Newton leaves rate * G / (H + damping), and adds them to `sums`, one per training row.
/// Cost: depth x rows x features additions, and depth x 2^depth x features x bins for the scan.
void grow_tree(const BinnedFeatures& data, const GrowerTarget& target, const GrowerParams& params,
               Threads threads, TreeTable& trees, std::span<float> sums);

}  // namespace structhash
