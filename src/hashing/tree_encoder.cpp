#include "structhash/hashing/encoders.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "hashing/sections.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kDeepest = 16;
constexpr Index kRowsAtOnce = 16;  // independent walks hide each other's latency

/// Adds to sums(r) the leaf that row r reaches in one tree, for `rows` <= kRowsAtOnce rows.
struct TreeWalk {
  const std::int32_t* columns;
  const float* thresholds;
  const float* leaves;
  Index depth;

  void add(const MatrixView& x, Index first_row, Index rows, float* sums) const {
    std::array<Index, kRowsAtOnce> nodes{};
    for (Index level = 0; level < depth; ++level) {
      for (Index r = 0; r < rows; ++r) {
        Index& node = nodes[static_cast<std::size_t>(r)];
        const bool right = x(first_row + r, columns[node]) > thresholds[node];
        node = 2 * node + 1 + static_cast<Index>(right);
      }
    }
    const Index inner = (Index{1} << depth) - 1;
    for (Index r = 0; r < rows; ++r) {
      sums[r] += leaves[nodes[static_cast<std::size_t>(r)] - inner];
    }
  }
};

}  // namespace

void TreeEncoder::check() const {
  require(bits() >= 1 && inputs >= 1, "a tree encoder needs trees");
  require(trees.depth >= 1 && trees.depth <= kDeepest,
          "the trees of a tree encoder must be 1 to 16 levels deep");
  const auto per_tree = static_cast<std::size_t>(trees.leaves_per_tree());
  const auto count = trees.leaves.size() / per_tree;
  require(trees.leaves.size() == count * per_tree &&
              trees.columns.size() == count * (per_tree - 1) &&
              trees.thresholds.size() == trees.columns.size(),
          "a tree encoder needs one column and threshold per node, and all leaves of every tree");
  require(first_tree.front() == 0 && first_tree.back() == trees.trees() &&
              std::ranges::is_sorted(first_tree),
          "the trees of a tree encoder do not belong to its bits");
  require(std::ranges::all_of(trees.columns, [&](std::int32_t c) { return c >= 0 && c < inputs; }),
          "a tree encoder refers to a feature that does not exist");
  const auto finite = [](float value) { return std::isfinite(value); };
  require(
      std::ranges::all_of(trees.thresholds, finite) && std::ranges::all_of(trees.leaves, finite),
      "a tree encoder holds a number that is not finite");
}

/// Cost: bits x trees per bit x depth comparisons per row.
Matrix<float> TreeEncoder::values(const MatrixView& x) const {
  Matrix<float> result(x.rows(), bits());
  const Index leaves = trees.leaves_per_tree();
  for (Index row = 0; row < x.rows(); row += kRowsAtOnce) {
    const Index rows = std::min(kRowsAtOnce, x.rows() - row);
    for (Index bit = 0; bit < bits(); ++bit) {
      std::array<float, kRowsAtOnce> sums{};
      const auto b = static_cast<std::size_t>(bit);
      for (Index tree = first_tree[b]; tree < first_tree[b + 1]; ++tree) {
        TreeWalk{trees.columns.data() + tree * (leaves - 1),
                 trees.thresholds.data() + tree * (leaves - 1), trees.leaves.data() + tree * leaves,
                 trees.depth}
            .add(x, row, rows, sums.data());
      }
      for (Index r = 0; r < rows; ++r) {
        result(row + r, bit) = sums[static_cast<std::size_t>(r)];
      }
    }
  }
  return result;
}

void TreeEncoder::save(ContainerWriter& file) const {
  add_count(file, "inputs", inputs);
  add_count(file, "depth", trees.depth);
  file.add("first-tree", std::span(first_tree));
  file.add("columns", std::span(trees.columns));
  file.add("thresholds", std::span(trees.thresholds));
  file.add("leaves", std::span(trees.leaves));
}

TreeEncoder TreeEncoder::load(const Container& file) {
  TreeEncoder encoder{.inputs = read_count(file, "inputs"),
                      .trees = {.depth = read_count(file, "depth"),
                                .columns = read_array<std::int32_t>(file, "columns"),
                                .thresholds = read_array<float>(file, "thresholds"),
                                .leaves = read_array<float>(file, "leaves")},
                      .first_tree = read_array<std::int64_t>(file, "first-tree")};
  if (encoder.first_tree.empty()) {
    file.fail_corrupt("section 'first-tree' is empty");
  }
  return encoder;
}

TreeEncoder TreeEncoder::first_bits(Index count) const {
  const auto kept = first_tree[static_cast<std::size_t>(count)];
  const auto leaves = kept * trees.leaves_per_tree();
  const auto nodes = leaves - kept;
  return {.inputs = inputs,
          .trees = {.depth = trees.depth,
                    .columns = {trees.columns.begin(), trees.columns.begin() + nodes},
                    .thresholds = {trees.thresholds.begin(), trees.thresholds.begin() + nodes},
                    .leaves = {trees.leaves.begin(), trees.leaves.begin() + leaves}},
          .first_tree = {first_tree.begin(), first_tree.begin() + count + 1}};
}

}  // namespace structhash
