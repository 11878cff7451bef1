#pragma once

#include <span>
#include <vector>

#include "structhash/evaluation/evaluate.hpp"

/// Curves behind the single numbers, as means over the queries that have a relevant item.
namespace structhash {

struct CurveOptions {
  /// In (0, 1].  The precision there is that of the first rank whose expected recall reaches the
  /// level, not interpolated.
  std::vector<double> recall_levels{0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50,
                                    0.55, 0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 1.00};
  std::vector<Index> ranks{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
  Index max_radius = 4;
};

struct Curves {
  std::vector<double> recall_levels;
  std::vector<double> precision_at_recall;
  std::vector<Index> ranks;  // without those above the database size
  std::vector<double> precision_at_rank;
  std::vector<double> recall_at_rank;
  std::vector<Index> radii;  // 0..max_radius
  std::vector<double> precision_in_radius;
  std::vector<double> recall_in_radius;
  Index queries_without_relevant = 0;
};

Curves evaluate_curves(const CodeMatrix& database, const CodeMatrix& queries,
                       const BitWeights& bit_weights, const GroundTruth& truth,
                       const CurveOptions& curves, const EvaluationOptions& options);

}  // namespace structhash
