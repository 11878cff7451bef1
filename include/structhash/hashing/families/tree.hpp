#pragma once

#include <memory>

#include "structhash/hashing/families/linear.hpp"

/// Boosted shallow trees (the paper's future work; compare FastHash, docs/methods.md C.14).
namespace structhash {

struct TreeFamilyParams {
  Index trees = 30;      // per bit
  Index depth = 4;       // levels of splits
  Index bins = 64;       // per feature
  double rate = 0.3;     // shrinkage
  double damping = 1.0;  // relative to mean curvature
  Index min_leaf_rows = 5;
  double feature_share = 0.25;  // of the features, drawn for every tree
  double trim = 0.99;           // share of the total pull kept
  double bag = 1, tree_bag = 1;
  int mode = 0;
  int polish = 0, start_random = 32;
  int start_its = 20;
  Index start_dims = 64;
  LinearFamilyParams linear{.ridge = 0.01, .power = 3.0, .smooth = {.penalty = 0.3}};
};
void check(const TreeFamilyParams& params);

class BinnedFeatures;

class TreeFamily final : public HashFamily {
 public:
  TreeFamily(const MatrixView& x, const TreeFamilyParams& params, int threads);
  ~TreeFamily() override;
  LearnedBit best(const PairForm& form, Seed seed, int threads) const override;
  Encoder assemble(std::span<const LearnedBit> bits) const override;

 private:
  TreeFamilyParams params_;
  Index inputs_;
  std::unique_ptr<const BinnedFeatures> data_;
  Matrix<float> z_;
};

}  // namespace structhash
