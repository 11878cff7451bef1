#include "data/related_rows.hpp"

namespace structhash {

RelatedRows::RelatedRows(const Labels& labels, RowRange rows) : labels_(labels), rows_(rows) {
  for (Index row = rows.begin; row < rows.end && !labels.is_multi(); ++row) {
    ++class_sizes_[labels.classes[static_cast<std::size_t>(row)]];
  }
}

Index RelatedRows::of(Index row) const {
  const bool inside = row >= rows_.begin && row < rows_.end;
  if (!labels_.is_multi()) {
    const auto size = class_sizes_.find(labels_.classes[static_cast<std::size_t>(row)]);
    return size == class_sizes_.end() ? 0 : size->second - (inside ? 1 : 0);
  }
  Index count = 0;
  for (Index other = rows_.begin; other < rows_.end; ++other) {
    count += other != row && labels_.related(row, other) ? 1 : 0;
  }
  return count;
}

}  // namespace structhash
