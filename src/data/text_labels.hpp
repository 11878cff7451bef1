#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "structhash/data/dataset.hpp"

namespace structhash::data {

/// Labels as they are in a text file, one per row; each distinct one is stored once.
class TextLabels {
 public:
  /// The label of the next row.
  void add(std::string_view text);
  Index size() const { return std::ssize(rows_); }
  const std::string& operator[](Index row) const;

  /// The first row whose label is a number, but not a 32-bit integer, while all labels are numbers;
  /// -1: none.  Such labels are not classes.
  Index first_bad_number() const;

  /// Whole numbers if all labels are; otherwise the number of a class is its place among the sorted
  /// names.
  Labels classes() const;

 private:
  bool all_numbers() const;

  std::vector<int> rows_;            // places in values_
  std::vector<std::string> values_;  // distinct
  std::vector<Index> first_rows_;    // of the values
  std::unordered_map<std::string, int> places_;
};

}  // namespace structhash::data
