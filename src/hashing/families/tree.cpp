#include "structhash/hashing/families/tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hashing/families/binned_features.hpp"
#include "hashing/families/tree_grower.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

void check(const TreeFamilyParams& params) {
  (void)params;
}

TreeFamily::TreeFamily(const MatrixView& x, const TreeFamilyParams& params, int threads)
    : params_(params), inputs_(x.cols()) {
  check(params);
  data_ = std::make_unique<BinnedFeatures>(x, params.bins, threads);
  AffineMap map = fit_soft_whitening(x, params.linear.ridge, params.linear.power, threads);
  if (map.matrix.cols() > params.start_dims) {
    map.matrix = Matrix<float>(map.matrix.leftCols(params.start_dims));
  }
  z_ = map.apply(x, threads);
}

TreeFamily::~TreeFamily() = default;

LearnedBit TreeFamily::best(const PairForm& form, Seed seed, int threads) const {
  SmoothParams sp = params_.linear.smooth;
  sp.max_iterations = std::max(1, params_.start_its);
  sp.random_starts = params_.start_random;
  if (params_.start_its == 0) sp.spectral_steps = 1;
  const LearnedBit start = fit_smooth_bit(z_, form, sp, seed, threads);
  const auto n = static_cast<std::size_t>(form.rows());
  std::vector<float> s(start.signs.begin(), start.signs.end());
  std::vector<float> field(n), f(n, 0.0F), pull(n), curve(n), target(n), weight(n);
  std::vector<std::int32_t> rows;
  TreeFunction function{
      .trees = {.depth = params_.depth, .columns = {}, .thresholds = {}, .leaves = {}}};
  form.multiply(s, field, threads);
  for (int i = 0; i < params_.polish; ++i) {
    for (std::size_t r = 0; r < n; ++r) {
      s[r] = field[r] > 0 ? 1.0F : -1.0F;
    }
    form.multiply(s, field, threads);
  }
  for (std::size_t r = 0; r < n; ++r) {
    target[r] = field[r];
  }
  Rng rng(seed.fork("trees"));
  std::vector<Index> bag = sample_without_replacement(
      form.rows(), static_cast<Index>(params_.bag * real(form.rows())), rng);
  std::ranges::sort(bag);
  GrowerParams gp{.depth = params_.depth,
                  .damping = 0,
                  .min_leaf_rows = params_.min_leaf_rows,
                  .rate = params_.rate};
  const auto count =
      std::max<Index>(1, static_cast<Index>(params_.feature_share * real(data_->features())));
  LearnedBit bit;
  for (Index t = 0; t < params_.trees; ++t) {
    if (t > 0) {
      for (std::size_t r = 0; r < n; ++r) {
        s[r] = std::tanh(f[r]);
      }
      if (params_.mode != 2) {
        form.multiply(s, field, threads);
      } else {
        field = target;
      }
    } else {
      std::fill(s.begin(), s.end(), 0.0F);
    }
    double total = 0, mass = 0;
    for (std::size_t r = 0; r < n; ++r) {
      const float h = field[r], a = std::abs(h);
      curve[r] = a * (1 - s[r] * s[r]);
      pull[r] = params_.mode == 1 ? h * (1 - s[r] * s[r]) : h - a * s[r];
      if (params_.mode == 3) {
        curve[r] = a;
      }
      total += std::abs(pull[r]);
      mass += a;
    }
    // trimming
    rows.clear();
    total = 0;
    for (Index r : bag) {
      rows.push_back(static_cast<std::int32_t>(r));
      total += std::abs(pull[std::size_t(r)]);
    }
    if (params_.tree_bag < 1) {
      auto k = static_cast<Index>(params_.tree_bag * real(std::ssize(rows)));
      auto pick = sample_without_replacement(std::ssize(rows), k, rng);
      std::ranges::sort(pick);
      std::vector<std::int32_t> sub;
      total = 0;
      for (Index i : pick) {
        sub.push_back(rows[std::size_t(i)]);
        total += std::abs(pull[std::size_t(sub.back())]);
      }
      rows = sub;
    }
    if (params_.trim < 1) {
      std::ranges::sort(rows, [&](auto a, auto b) {
        const float x = std::abs(pull[size_t(a)]), y = std::abs(pull[size_t(b)]);
        return x != y ? x > y : a < b;
      });
      double sum = 0;
      std::size_t k = 0;
      while (k < rows.size() && sum < params_.trim * total) {
        sum += std::abs(pull[size_t(rows[k++])]);
      }
      rows.resize(std::max<std::size_t>(k, std::min<std::size_t>(rows.size(), 100)));
      std::ranges::sort(rows);
    }
    std::vector<Index> features = sample_without_replacement(data_->features(), count, rng);
    std::ranges::sort(features);
    gp.damping = params_.damping * mass / double(n);
    grow_tree(*data_, {pull, curve, rows, features}, gp, threads, function.trees, f);
  }
  for (std::size_t r = 0; r < n; ++r) {
    s[r] = f[r] > 0 ? 1.0F : -1.0F;
    bit.signs.push_back(f[r] > 0 ? 1 : -1);
  }
  bit.edge = form.value(s, threads);
  bit.function = std::move(function);
  if (getenv("TREEV")) {
    double e = 0;
    for (float v : f) {
      e += std::abs(v);
    }
    fprintf(stderr, "start %.4f tree %.4f |f| %.2f rows %zu\n", start.edge, bit.edge, e / double(n),
            rows.size());
  }
  return bit;
}

Encoder TreeFamily::assemble(std::span<const LearnedBit> bits) const {
  TreeEncoder encoder{
      .inputs = inputs_,
      .trees = {.depth = params_.depth, .columns = {}, .thresholds = {}, .leaves = {}},
      .first_tree = {0}};
  for (const LearnedBit& bit : bits) {
    const TreeTable& trees = std::get<TreeFunction>(bit.function).trees;
    encoder.trees.columns.insert(encoder.trees.columns.end(), trees.columns.begin(),
                                 trees.columns.end());
    encoder.trees.thresholds.insert(encoder.trees.thresholds.end(), trees.thresholds.begin(),
                                    trees.thresholds.end());
    encoder.trees.leaves.insert(encoder.trees.leaves.end(), trees.leaves.begin(),
                                trees.leaves.end());
    encoder.first_tree.push_back(encoder.trees.trees());
  }
  return encoder;
}

}  // namespace structhash
