#pragma once

#include <memory>

#include "core/half_matrix.hpp"
#include "hashing/hash_family.hpp"
#include "structhash/core/parallel.hpp"

/// Boosted shallow trees (the paper's future work; compare FastHash, docs/methods.md C.14).
namespace structhash {

struct TreeFamilyParams {
  Index trees = 30;             // per bit
  Index depth = 4;              // levels of splits, 1..12
  Index bins = 64;              // per feature, 2..256
  double rate = 0.3;            // shrinkage of every tree, in (0, 1]
  double damping = 1.0;         // >= 0: added to a leaf's curvature, in mean strengths of a row
  Index min_leaf_rows = 5;      // on either side of a split
  double feature_share = 0.25;  // of the features, at least 16, drawn for every tree
  double bag = 0.7;             // of the rows, drawn for every bit
  double trim = 0.99;           // share of the total pull that a tree is fitted to
  Index start_components = 64;  // principal components of the linear start
};
void check(const TreeFamilyParams& params);

class BinnedFeatures;

class TreeFamily final : public HashFamily {
 public:
  TreeFamily(const MatrixView& x, const TreeFamilyParams& params, Threads threads);
  ~TreeFamily() override;
  LearnedBit best(const PairForm& form, Seed seed, Threads threads) const override;
  Encoder assemble(std::span<const LearnedBit> bits) const override;

 private:
  TreeFamilyParams params_;
  Index inputs_;
  std::unique_ptr<const BinnedFeatures> data_;
  HalfMatrix z_;
};

}  // namespace structhash
