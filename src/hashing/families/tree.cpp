#include "hashing/families/tree.hpp"

#include <algorithm>
#include <cmath>

#include "hashing/families/boost_step.hpp"
#include "hashing/families/response_space.hpp"
#include "hashing/families/smooth.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

void check(const TreeFamilyParams& params) {
  require(params.trees >= 1 && params.depth >= 1 && params.depth <= 12,
          "trees must be at least 1 and depth between 1 and 12");
  require(params.bins >= 2 && params.bins <= 256, "bins must lie between 2 and 256");
  require(params.rate > 0.0 && params.rate <= 1.0, "rate must lie between 0 and 1");
  require(params.damping >= 0.0 && params.min_leaf_rows >= 1,
          "damping must not be negative and min-leaf-rows at least 1");
  const auto is_share = [](double value) { return value > 0.0 && value <= 1.0; };
  require(is_share(params.feature_share) && is_share(params.bag) && is_share(params.trim),
          "feature-share, bag and trim must lie between 0 and 1");
  require(params.start_components >= 1, "start-components must be at least 1");
}

TreeFamily::TreeFamily(const MatrixView& x, const TreeFamilyParams& params, Threads threads)
    : params_(params), inputs_(x.cols()) {
  check(params);
  data_ = std::make_unique<BinnedFeatures>(x, params.bins, threads);
  AffineMap map =
      fit_soft_whitening(x, kTreeStartDefaults.ridge, kTreeStartDefaults.power, threads);
  if (map.matrix.cols() > params.start_components) {
    map.matrix = Matrix<float>(map.matrix.leftCols(params.start_components));
  }
  z_ = HalfMatrix(map.apply(x, threads));
}

TreeFamily::~TreeFamily() = default;

/// Boosting by Newton steps on the surrogate F(tanh(f(x))) (docs/methods.md A.9).  In the field
/// h = M s a row gains by agreeing with sign(h), by |h|.  The first field is that of a linear bit;
/// afterwards it follows the trees, so that the bit they end with need not be linear.
LearnedBit TreeFamily::best(const PairForm& form, Seed seed, Threads threads) const {
  const SmoothParams smooth{.penalty = kTreeStartDefaults.penalty};
  const LearnedBit start = fit_smooth_bit(z_, form, smooth, seed, threads);
  const auto n = static_cast<std::size_t>(form.rows());
  std::vector<float> s(start.signs.begin(), start.signs.end());
  std::vector<float> field(n);
  BoostedTrees boosted(params_.depth, form.rows());
  form.multiply(s, field, threads);
  Rng rng(seed.fork("trees"));
  const std::vector<Index> bag = sorted_sample(form.rows(), params_.bag, 1, rng);
  for (Index t = 0; t < params_.trees; ++t) {
    if (t > 0) {
      std::ranges::transform(boosted.sums, s.begin(), [](float value) { return std::tanh(value); });
      form.multiply(s, field, threads);
    }
    boost_step(*data_, params_, {field, bag}, rng, threads, boosted);
  }
  LearnedBit bit = bit_of(std::move(boosted));
  s.assign(bit.signs.begin(), bit.signs.end());
  bit.edge = form.value(s, threads);
  return bit;
}

Encoder TreeFamily::assemble(std::span<const LearnedBit> bits) const {
  return assemble_trees(inputs_, params_.depth, bits);
}

}  // namespace structhash
