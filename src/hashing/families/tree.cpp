#include "structhash/hashing/families/tree.hpp"

#include <algorithm>
#include <cmath>

#include "hashing/families/binned_features.hpp"
#include "hashing/families/tree_grower.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr std::size_t kFewestRows = 100;  // that trimming leaves to a tree
constexpr Index kFewestFeatures = 16;     // that a tree may split by, if there are as many

/// A share of a population, but at least `fewest` of it.
std::vector<Index> sorted_sample(Index population, double share, Index fewest, Rng& rng) {
  const auto wanted = static_cast<Index>(share * real(population));
  const Index count = std::min(population, std::max(fewest, wanted));
  std::vector<Index> sample = sample_without_replacement(population, count, rng);
  std::ranges::sort(sample);
  return sample;
}

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
  while (kept < rows.size() && (sum < trim * total || kept < kFewestRows)) {
    sum += size(rows[kept++]);
  }
  rows.resize(kept);
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

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
  check(params.start);
}

TreeFamily::TreeFamily(const MatrixView& x, const TreeFamilyParams& params, int threads)
    : params_(params), inputs_(x.cols()) {
  check(params);
  data_ = std::make_unique<BinnedFeatures>(x, params.bins, threads);
  AffineMap map = fit_soft_whitening(x, params.start.ridge, params.start.power, threads);
  if (map.matrix.cols() > params.start_components) {
    map.matrix = Matrix<float>(map.matrix.leftCols(params.start_components));
  }
  z_ = map.apply(x, threads);
}

TreeFamily::~TreeFamily() = default;

/// Boosting by Newton steps on the surrogate F(tanh(f(x))) (docs/methods.md A.9).  In the field
/// h = M s a row gains by agreeing with sign(h), by |h|; with s = tanh(f)
///
///   pull_p = h_p - |h_p| s_p,    curvature_p = |h_p| (1 - s_p^2)
///
/// is the logistic loss of the label sign(h_p) with weight |h_p|.  The first field is that of a
/// linear bit; afterwards it follows the trees, so that the bit they end with need not be linear.
LearnedBit TreeFamily::best(const PairForm& form, Seed seed, int threads) const {
  const LearnedBit start = fit_smooth_bit(z_, form, params_.start.smooth, seed, threads);
  const auto n = static_cast<std::size_t>(form.rows());
  std::vector<float> s(start.signs.begin(), start.signs.end());
  std::vector<float> field(n);
  std::vector<float> f(n, 0.0F);
  std::vector<float> pull(n);
  std::vector<float> curvature(n);
  TreeFunction function{
      .trees = {.depth = params_.depth, .columns = {}, .thresholds = {}, .leaves = {}}};
  form.multiply(s, field, threads);
  std::ranges::fill(s, 0.0F);
  Rng rng(seed.fork("trees"));
  const std::vector<Index> bag = sorted_sample(form.rows(), params_.bag, 1, rng);
  for (Index t = 0; t < params_.trees; ++t) {
    if (t > 0) {
      std::ranges::transform(f, s.begin(), [](float value) { return std::tanh(value); });
      form.multiply(s, field, threads);
    }
    double mass = 0.0;
    for (std::size_t row = 0; row < n; ++row) {
      const float strength = std::abs(field[row]);
      pull[row] = field[row] - strength * s[row];
      curvature[row] = strength * (1.0F - s[row] * s[row]);
      mass += strength;
    }
    const std::vector<std::int32_t> rows = trimmed(bag, pull, params_.trim);
    const std::vector<Index> features =
        sorted_sample(data_->features(), params_.feature_share, kFewestFeatures, rng);
    const GrowerParams grower{.depth = params_.depth,
                              .damping = params_.damping * mass / static_cast<double>(n),
                              .min_leaf_rows = params_.min_leaf_rows,
                              .rate = params_.rate};
    grow_tree(*data_, {pull, curvature, rows, features}, grower, threads, function.trees, f);
  }
  LearnedBit bit;
  for (std::size_t row = 0; row < n; ++row) {
    s[row] = f[row] > 0.0F ? 1.0F : -1.0F;
    bit.signs.push_back(static_cast<std::int8_t>(s[row]));
  }
  bit.edge = form.value(s, threads);
  bit.function = std::move(function);
  return bit;
}

Encoder TreeFamily::assemble(std::span<const LearnedBit> bits) const {
  TreeEncoder encoder{
      .inputs = inputs_,
      .trees = {.depth = params_.depth, .columns = {}, .thresholds = {}, .leaves = {}},
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
