#pragma once

#include <unordered_map>

#include "core/row_range.hpp"
#include "structhash/data/dataset.hpp"

namespace structhash {

/// Numbers of rows that share a label with a row.  With classes each is a look-up.
class RelatedRows {
 public:
  /// Refers to the labels; counts the rows of this range.
  RelatedRows(const Labels& labels, RowRange rows);

  /// Related rows of the range, without the row itself.  Cost: O(1) for classes, else O(rows).
  Index of(Index row) const;

 private:
  const Labels& labels_;
  RowRange rows_;
  std::unordered_map<int, Index> class_sizes_;
};

}  // namespace structhash
