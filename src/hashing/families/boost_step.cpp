#include "hashing/families/boost_step.hpp"

#include <algorithm>
#include <cmath>

#include "hashing/families/tree_grower.hpp"

namespace structhash {
namespace {

constexpr std::size_t kMinRows = 100;  // that trimming leaves to a tree
constexpr Index kMinFeatures = 16;     // that a tree may split by, if there are as many

/// The rows that carry the share `trim` of the total pull: a tree on the others learns nothing new
/// (weight trimming, Friedman, Hastie, Tibshirani 2000).
std::vector<std::int32_t> trimmed(std::span<const Index> bag, std::span<const float> pull,
                                  double trim) {
  std::vector<std::int32_t> rows(bag.begin(), bag.end());
  const auto size = [&](std::int32_t row) { return std::abs(pull[static_cast<std::size_t>(row)]); };
  double total = 0.0;
  for (const std::int32_t row : rows) {
    total += size(row);
  }
  std::ranges::sort(rows, [&](std::int32_t a, std::int32_t b) {
    return size(a) != size(b) ? size(a) > size(b) : a < b;
  });
  double sum = 0.0;
  std::size_t kept = 0;
  while (kept < rows.size() && (sum < trim * total || kept < kMinRows)) {
    sum += size(rows[kept++]);
  }
  rows.resize(kept);
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

std::vector<Index> sorted_sample(Index population, double share, Index min, Rng& rng) {
  const auto wanted = static_cast<Index>(share * to_double(population));
  const Index count = std::min(population, std::max(min, wanted));
  std::vector<Index> sample = sample_without_replacement(population, count, rng);
  std::ranges::sort(sample);
  return sample;
}

void boost_step(const BinnedFeatures& data, const TreeFamilyParams& params,
                const BoostTarget& target, Rng& rng, Threads threads, BoostedTrees& boosted) {
  const std::span<const float> field = target.field;
  std::vector<float> pull(field.size());
  std::vector<float> curvature(field.size());
  double mass = 0.0;
  for (std::size_t row = 0; row < field.size(); ++row) {
    const float s = std::tanh(boosted.sums[row]);
    const float strength = std::abs(field[row]);
    pull[row] = field[row] - strength * s;
    curvature[row] = strength * (1.0F - s * s);
    mass += static_cast<double>(strength);
  }
  const std::vector<std::int32_t> rows = trimmed(target.bag, pull, params.trim);
  const std::vector<Index> features =
      sorted_sample(data.features(), params.feature_share, kMinFeatures, rng);
  const GrowerParams grower{.depth = params.depth,
                            .damping = params.damping * mass / static_cast<double>(field.size()),
                            .min_leaf_rows = params.min_leaf_rows,
                            .rate = params.rate};
  grow_tree(data, {pull, curvature, rows, features}, grower, threads, boosted.trees, boosted.sums);
}

LearnedBit bit_of(BoostedTrees boosted) {
  LearnedBit bit;
  for (const float sum : boosted.sums) {
    bit.signs.push_back(sum > 0.0F ? std::int8_t{1} : std::int8_t{-1});
  }
  bit.function = TreeFunction{std::move(boosted.trees)};
  return bit;
}

TreeEncoder assemble_trees(Index inputs, Index depth, std::span<const LearnedBit> bits) {
  TreeEncoder encoder{.inputs = inputs,
                      .trees = {.depth = depth, .columns = {}, .thresholds = {}, .leaves = {}},
                      .first_tree = {0}};
  const auto append = [](auto& all, const auto& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  for (const LearnedBit& bit : bits) {
    const TreeTable& trees = std::get<TreeFunction>(bit.function).trees;
    append(encoder.trees.columns, trees.columns);
    append(encoder.trees.thresholds, trees.thresholds);
    append(encoder.trees.leaves, trees.leaves);
    encoder.first_tree.push_back(encoder.trees.trees());
  }
  return encoder;
}

}  // namespace structhash
