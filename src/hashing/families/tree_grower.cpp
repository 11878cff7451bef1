#include "hashing/families/tree_grower.hpp"

#include <algorithm>
#include <limits>

#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kFeatureGrain = 16;

struct Sums {
  float pull = 0.0F;
  float curvature = 0.0F;
  float rows = 0.0F;
  float unused = 0.0F;  // four floats: one vector addition

  Sums& operator+=(const Sums& other) {
    pull += other.pull;
    curvature += other.curvature;
    rows += other.rows;
    return *this;
  }
  Sums operator-(const Sums& other) const {
    return {pull - other.pull, curvature - other.curvature, rows - other.rows, 0.0F};
  }
};

/// The Newton step of a set of rows, pull / (curvature + damping); 0 where both are zero.
double newton_step(const Sums& sums, double damping) {
  const double stiffness = static_cast<double>(sums.curvature) + damping;
  return stiffness > 0.0 ? static_cast<double>(sums.pull) / stiffness : 0.0;
}

struct Split {
  double gain = 0.0;  // over leaving the node whole
  Index feature = -1;
  Index cut = 0;
  Sums left;
};

/// One level: every node of it gets its best split.
class Level {
 public:
  Level(const BinnedFeatures& data, const GrowerTarget& target, const GrowerParams& params,
        std::span<const std::uint16_t> node_of_row, std::span<const Sums> nodes)
      : data_(data), target_(target), params_(params), node_of_row_(node_of_row), nodes_(nodes) {}

  std::vector<Split> best_splits(Threads threads) const {
    const Index features = std::ssize(target_.features);
    std::vector<std::vector<Split>> partial(
        static_cast<std::size_t>(chunk_count(features, kFeatureGrain)));
    parallel_for(features, threads, kFeatureGrain, [&](Index begin, Index end) {
      auto& best = partial[static_cast<std::size_t>(begin / kFeatureGrain)];
      best.resize(nodes_.size());
      std::vector<Sums> histogram;
      for (Index i = begin; i < end; ++i) {
        consider(target_.features[static_cast<std::size_t>(i)], histogram, best);
      }
    });
    std::vector<Split> best = std::move(partial.front());
    for (std::size_t chunk = 1; chunk < partial.size(); ++chunk) {
      for (std::size_t node = 0; node < best.size(); ++node) {
        if (partial[chunk][node].gain > best[node].gain) {  // ties: the first in order
          best[node] = partial[chunk][node];
        }
      }
    }
    return best;
  }

 private:
  double score(const Sums& sums) const {
    return static_cast<double>(sums.pull) * newton_step(sums, params_.damping);
  }

  void consider(Index feature, std::vector<Sums>& histogram, std::vector<Split>& best) const {
    const auto cuts = data_.thresholds(feature).size();
    const std::size_t bins = cuts + 1;
    histogram.assign(bins * nodes_.size(), {});
    const std::uint8_t* bin = data_.bins(feature);
    for (const auto number : target_.rows) {
      const auto row = static_cast<std::size_t>(number);
      histogram[node_of_row_[row] * bins + bin[row]] +=
          Sums{target_.pull[row], target_.curvature[row], 1.0F, 0.0F};
    }
    const auto least = static_cast<float>(params_.min_leaf_rows);
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      const double whole = score(nodes_[node]);
      Sums left;
      for (std::size_t cut = 0; cut < cuts; ++cut) {
        left += histogram[node * bins + cut];
        const Sums right = nodes_[node] - left;
        if (left.rows < least || right.rows < least) {
          continue;
        }
        const double gain = score(left) + score(right) - whole;
        if (gain > best[node].gain) {
          best[node] = {gain, feature, static_cast<Index>(cut), left};
        }
      }
    }
  }

  const BinnedFeatures& data_;
  const GrowerTarget& target_;
  const GrowerParams& params_;
  std::span<const std::uint16_t> node_of_row_;
  std::span<const Sums> nodes_;
};

}  // namespace

void grow_tree(const BinnedFeatures& data, const GrowerTarget& target, const GrowerParams& params,
               Threads threads, TreeTable& trees, std::span<float> sums) {
  std::vector<std::uint16_t> node_of_row(static_cast<std::size_t>(data.rows()), 0);
  std::vector<Sums> nodes(1);
  for (const std::int32_t row : target.rows) {
    const auto r = static_cast<std::size_t>(row);
    nodes[0] += Sums{target.pull[r], target.curvature[r], 1.0F, 0.0F};
  }
  for (Index level = 0; level < params.depth; ++level) {
    const auto splits = Level(data, target, params, node_of_row, nodes).best_splits(threads);
    std::vector<Sums> children;
    std::vector<const std::uint8_t*> bins;
    for (std::size_t node = 0; node < splits.size(); ++node) {
      const Split& split = splits[node];
      const bool whole = split.feature < 0;  // no split gains: all rows go left
      const Index feature = whole ? target.features[0] : split.feature;
      children.push_back(whole ? nodes[node] : split.left);
      children.push_back(whole ? Sums{} : nodes[node] - split.left);
      bins.push_back(data.bins(feature));
      trees.columns.push_back(static_cast<std::int32_t>(data.column(feature)));
      trees.thresholds.push_back(
          whole ? std::numeric_limits<float>::max()
                : data.thresholds(feature)[static_cast<std::size_t>(split.cut)]);
    }
    for (std::size_t row = 0; row < node_of_row.size(); ++row) {
      const std::size_t node = node_of_row[row];
      const bool right = splits[node].feature >= 0 && Index{bins[node][row]} > splits[node].cut;
      node_of_row[row] = static_cast<std::uint16_t>(2 * node + (right ? 1U : 0U));
    }
    nodes = std::move(children);
  }
  const std::size_t first_leaf = trees.leaves.size();
  for (const Sums& leaf : nodes) {
    trees.leaves.push_back(static_cast<float>(params.rate * newton_step(leaf, params.damping)));
  }
  for (std::size_t row = 0; row < sums.size(); ++row) {
    sums[row] += trees.leaves[first_leaf + node_of_row[row]];
  }
}

}  // namespace structhash
