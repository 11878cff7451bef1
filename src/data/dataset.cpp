#include "structhash/data/dataset.hpp"

#include <fmt/format.h>

#include <cmath>

#include "data/element.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

void check_rows(std::span<const Index> rows, Index size) {
  for (const Index row : rows) {
    require(row >= 0 && row < size,
            fmt::format("cannot select row {} of a table with {} rows", row + 1, size));
  }
}

void check_labels(const Dataset& data) {
  const Labels& labels = data.labels;
  if (!labels.classes.empty() && labels.is_multi()) {
    fail(Errc::bad_data,
         fmt::format("data set '{}' has both classes and multi-labels; keep one", data.name));
  }
  if (!labels.empty() && labels.size() != data.size()) {
    fail(Errc::bad_data,
         fmt::format(
             "data set '{}' has {} rows of features but {} labels; there must be one per row",
             data.name, data.size(), labels.size()));
  }
  for (Index row = 0; row < labels.multi.rows(); ++row) {
    for (Index column = 0; column < labels.multi.cols(); ++column) {
      if (labels.multi(row, column) > 1) {
        fail(
            Errc::bad_data,
            fmt::format("data set '{}', label row {}, column {}: found {}, multi-labels are 0 or 1",
                        data.name, row + 1, column + 1, labels.multi(row, column)));
      }
    }
  }
}

}  // namespace

bool Labels::related(Index a, Index b) const {
  return related(*this, a, *this, b);
}

bool Labels::related(const Labels& left, Index a, const Labels& right, Index b) {
  if (left.is_multi()) {
    return (left.multi.row(a).array() * right.multi.row(b).array()).any();
  }
  return left.classes[static_cast<std::size_t>(a)] == right.classes[static_cast<std::size_t>(b)];
}

Labels Labels::select(std::span<const Index> rows) const {
  check_rows(rows, empty() ? 0 : size());
  Labels chosen;
  if (is_multi()) {
    chosen.multi.resize(static_cast<Index>(rows.size()), multi.cols());
    for (Index i = 0; i < chosen.multi.rows(); ++i) {
      chosen.multi.row(i) = multi.row(rows[static_cast<std::size_t>(i)]);
    }
  } else {
    chosen.classes.reserve(rows.size());
    for (const Index row : rows) {
      chosen.classes.push_back(classes[static_cast<std::size_t>(row)]);
    }
    chosen.names = names;
  }
  return chosen;
}

std::string Labels::class_text(Index row) const {
  const int number = classes[static_cast<std::size_t>(row)];
  return names.empty() ? std::to_string(number) : names[static_cast<std::size_t>(number)];
}

Labels vstack(const Labels& upper, const Labels& lower) {
  if (upper.is_multi() != lower.is_multi() || upper.multi.cols() != lower.multi.cols() ||
      upper.names.empty() != lower.names.empty()) {
    fail(Errc::bad_data,
         "labels of items and of queries must be of the same kind: numbers, text, or 0/1 matrices "
         "of as many columns");
  }
  Labels all;
  all.multi.resize(upper.multi.rows() + lower.multi.rows(), upper.multi.cols());
  all.multi << upper.multi, lower.multi;
  std::ranges::set_union(upper.names, lower.names, std::back_inserter(all.names));
  for (const Labels* part : {&upper, &lower}) {
    for (Index row = 0; row < std::ssize(part->classes); ++row) {
      all.classes.push_back(
          all.names.empty()
              ? part->classes[static_cast<std::size_t>(row)]
              : static_cast<int>(std::ranges::lower_bound(all.names, part->class_text(row)) -
                                 all.names.begin()));
    }
  }
  return all;
}

Dataset Dataset::select(std::span<const Index> rows) const {
  check_rows(rows, size());
  Dataset chosen{name, Matrix<float>(static_cast<Index>(rows.size()), dimension()), {}};
  for (Index i = 0; i < chosen.size(); ++i) {
    chosen.features.row(i) = features.row(rows[static_cast<std::size_t>(i)]);
  }
  if (!labels.empty()) {
    chosen.labels = labels.select(rows);
  }
  return chosen;
}

void check(const Dataset& data) {
  if (data.size() == 0 || data.dimension() == 0) {
    fail(
        Errc::bad_data,
        fmt::format("data set '{}' is empty ({} rows of {} columns); it needs at least one of each",
                    data.name, data.size(), data.dimension()));
  }
  const float* values = data.features.data();
  if (!data::all_finite(values, static_cast<std::size_t>(data.features.size()))) {
    Index item = 0;
    while (std::isfinite(values[item])) {
      ++item;
    }
    fail(Errc::bad_data,
         fmt::format("data set '{}', row {}, column {}: found {}, features must be finite numbers",
                     data.name, item / data.dimension() + 1, item % data.dimension() + 1,
                     values[item]));
  }
  check_labels(data);
}

}  // namespace structhash
