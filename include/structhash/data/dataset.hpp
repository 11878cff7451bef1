#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "structhash/core/types.hpp"

/// Data for training and search: one row per item, with its labels.
namespace structhash {

/// Labels of n items: one class per item, or a 0/1 matrix with one column per label.
/// Exactly one of the two members is filled; both are empty without labels.
struct Labels {
  std::vector<int> classes;    // n class numbers, any integers
  Matrix<std::uint8_t> multi;  // n x labels, entries 0 or 1
  /// Names of the classes 0, 1, 2, ..., ascending; empty if the classes are numbers.
  std::vector<std::string> names{};

  bool empty() const { return classes.empty() && multi.size() == 0; }
  bool is_multi() const { return multi.size() > 0; }
  Index size() const { return is_multi() ? multi.rows() : static_cast<Index>(classes.size()); }

  /// Same class, or at least one label in common.
  bool related(Index a, Index b) const;
  /// The same across two sets of labels of one kind (queries against a database).
  static bool related(const Labels& left, Index a, const Labels& right, Index b);
  Labels select(std::span<const Index> rows) const;
  /// The class of a row as text: its name or its number.
  std::string class_text(Index row) const;
};

/// The labels of rows and of further rows below them, of the same kind; text is numbered anew.
Labels vstack(const Labels& upper, const Labels& lower);

struct Dataset {
  std::string name;
  Matrix<float> features;  // finite
  Labels labels;           // empty, or one per row

  Index size() const { return features.rows(); }
  Index dimension() const { return features.cols(); }
  Dataset select(std::span<const Index> rows) const;
};

/// Checks data that no loader has read: at least one row and one column, finite values (the error
/// names row and column), as many labels as rows, multi-labels 0 or 1.
void check(const Dataset& data);

}  // namespace structhash
