#include "data/label_indicator.hpp"

#include <map>

namespace structhash {

Matrix<float> label_indicator(const Labels& labels) {
  if (labels.is_multi()) {
    return labels.multi.cast<float>();
  }
  std::map<int, Index> columns;
  for (const int label : labels.classes) {
    columns.emplace(label, 0);
  }
  Index next = 0;
  for (auto& [label, column] : columns) {
    column = next++;
  }
  Matrix<float> indicator = Matrix<float>::Zero(labels.size(), next);
  for (Index row = 0; row < labels.size(); ++row) {
    indicator(row, columns[labels.classes[static_cast<std::size_t>(row)]]) = 1.0F;
  }
  return indicator;
}

}  // namespace structhash
