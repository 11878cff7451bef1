#include "baselines/label_groups.hpp"

#include <map>

namespace structhash {
namespace {

std::vector<int> label_key(const Labels& labels, Index row) {
  if (!labels.is_multi()) {
    return {labels.classes[static_cast<std::size_t>(row)]};
  }
  const auto entries = labels.multi.row(row);
  return {entries.begin(), entries.end()};
}

}  // namespace

LabelGroups group_labels(const Labels& labels) {
  LabelGroups groups;
  std::map<std::vector<int>, Index> numbers;
  for (Index row = 0; row < labels.size(); ++row) {
    const auto [found, is_new] =
        numbers.try_emplace(label_key(labels, row), static_cast<Index>(numbers.size()));
    if (is_new) {
      groups.rows.emplace_back();
    }
    groups.group.push_back(found->second);
    groups.rows[static_cast<std::size_t>(found->second)].push_back(row);
  }
  const Index count = labels.is_multi() ? groups.count() : 0;
  groups.overlaps.resize(count, count);
  for (Index a = 0; a < count; ++a) {
    for (Index b = 0; b < count; ++b) {
      const bool related = labels.related(groups.rows[static_cast<std::size_t>(a)].front(),
                                          groups.rows[static_cast<std::size_t>(b)].front());
      groups.overlaps(a, b) = related ? 1.0F : -1.0F;
    }
  }
  return groups;
}

Matrix<double> group_sums(const LabelGroups& groups, const Matrix<float>& x) {
  Matrix<double> sums = Matrix<double>::Zero(groups.count(), x.cols());
  for (Index row = 0; row < x.rows(); ++row) {
    sums.row(groups.group[static_cast<std::size_t>(row)]) += x.row(row).cast<double>();
  }
  return sums;
}

Matrix<float> row_similarity(const LabelGroups& groups, std::span<const Index> rows) {
  Matrix<float> similarity(std::ssize(rows), std::ssize(rows));
  const auto group = [&](Index i) {
    return groups.group[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])];
  };
  for (Index i = 0; i < similarity.rows(); ++i) {
    for (Index j = 0; j < similarity.cols(); ++j) {
      similarity(i, j) = groups.related(group(i), group(j));
    }
  }
  return similarity;
}

}  // namespace structhash
