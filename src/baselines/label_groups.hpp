#pragma once

#include <span>
#include <vector>

#include "structhash/core/types.hpp"
#include "structhash/data/dataset.hpp"

/// Labels as groups that methods compute with.
namespace structhash {

/// Rows with equal labels form a group.  The similarity of n rows is then one of the groups, and no
/// method needs n x n numbers, nor classes x classes:
///
///   similarity(i, j) = related(group[i], group[j])  = +1 or -1
struct LabelGroups {
  std::vector<Index> group;              // per row, numbered in the order in which they occur
  std::vector<std::vector<Index>> rows;  // of every group, ascending
  Matrix<float> overlaps;                // related of sets of labels; empty for classes

  Index count() const { return std::ssize(rows); }
  float related(Index a, Index b) const {
    const bool is_related = overlaps.size() > 0 ? overlaps(a, b) > 0.0F : a == b;
    return is_related ? 1.0F : -1.0F;
  }
};

LabelGroups group_labels(const Labels& labels);

/// Sums of the rows of every group: groups x columns.
Matrix<double> group_sums(const LabelGroups& groups, const Matrix<float>& x);

/// similarity(i, j) of some rows: rows x rows of +1 and -1.
Matrix<float> row_similarity(const LabelGroups& groups, std::span<const Index> rows);

}  // namespace structhash
