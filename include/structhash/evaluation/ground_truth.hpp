#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "structhash/data/dataset.hpp"
#include "structhash/relevance/judgments.hpp"

/// Which database items are relevant to which query, and how much.
namespace structhash {

class GroundTruth {
 public:
  /// Grade 1 for the same class, or at least one label in common.
  static GroundTruth from_labels(const Labels& queries, const Labels& database);
  /// Grades as judged; unjudged items and grades below 1 count as not relevant.
  static GroundTruth from_judgments(const Judgments& judgments);
  /// Grade 1 for the nearest `fraction` of the database by exact l2 distance, at least one item.
  static GroundTruth from_neighbours(const MatrixView& queries, const MatrixView& database,
                                     double fraction, int threads);

  Index queries() const { return queries_; }
  Index items() const { return items_; }
  int highest_grade() const { return highest_grade_; }  // 1: relevance is binary

  /// Writes the grade of every database item for one query.
  void grades(Index query, std::span<std::uint8_t> grades) const { fill_(query, grades); }

 private:
  Index queries_ = 0;
  Index items_ = 0;
  int highest_grade_ = 1;
  std::function<void(Index query, std::span<std::uint8_t> grades)> fill_;
};

}  // namespace structhash
