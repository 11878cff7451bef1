#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "structhash/core/container.hpp"
#include "structhash/core/types.hpp"

namespace structhash {

/// Complete binary trees of one depth, one after another.  At inner node i, of 2^depth - 1 in a
/// tree, a row goes from i to 2 i + 1 when x(columns[i]) <= thresholds[i], else to 2 i + 2; below
/// the last level stand 2^depth leaves.
struct TreeTable {
  Index depth = 0;
  std::vector<std::int32_t> columns;  // trees x (2^depth - 1)
  std::vector<float> thresholds;      // trees x (2^depth - 1)
  std::vector<float> leaves;          // trees x 2^depth

  Index leaves_per_tree() const { return Index{1} << depth; }
  Index trees() const { return static_cast<Index>(leaves.size()) / leaves_per_tree(); }
  bool operator==(const TreeTable&) const = default;
};

/// Boosted trees (docs/methods.md C.14): bit b of x is
///
///   [ sum of the leaves that x reaches in trees first_tree[b] .. first_tree[b + 1] - 1  > 0 ]
///
/// summed in float and in order, so that a value depends on its row alone.
struct TreeEncoder {
  static constexpr std::string_view kName = "tree";

  Index inputs = 0;  // columns of the feature vectors
  TreeTable trees;
  std::vector<std::int64_t> first_tree{0};  // bits + 1; ascending from 0 to the number of trees

  Index bits() const { return static_cast<Index>(first_tree.size()) - 1; }
  Index dimension() const { return inputs; }
  void check() const;
  Matrix<float> values(const MatrixView& x) const;
  void save(ContainerWriter& file) const;
  static TreeEncoder load(const Container& file);

  bool operator==(const TreeEncoder&) const = default;
};

}  // namespace structhash
