#include "structhash/evaluation/curves.hpp"

#include <algorithm>

#include "evaluation/ranker.hpp"
#include "ranking/expected.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// One point of a curve: the mean of `value` over the queries.
struct Point {
  std::vector<double>* curve;  // where its mean is appended
  MeasureFunction value;
};

void check_options(const CurveOptions& curves) {
  for (const double level : curves.recall_levels) {
    require(level > 0.0 && level <= 1.0, "recall levels must be above 0 and at most 1");
  }
  for (const Index rank : curves.ranks) {
    require(rank >= 1, "the ranks of a curve must be at least 1");
  }
  require(curves.max_radius >= 0, "the maximal radius of a curve must be at least 0");
}

std::vector<Point> points_of(Curves& result, Index items) {
  std::vector<Point> points;
  points.reserve(result.recall_levels.size() + 2 * (result.ranks.size() + result.radii.size()));
  for (const double level : result.recall_levels) {
    points.push_back({&result.precision_at_recall, [level](const RankedQuery& query) {
                        return expected::precision_at_recall(query, level);
                      }});
  }
  for (const Index rank : result.ranks) {
    points.push_back({&result.precision_at_rank, expected::precision(rank, items)});
    points.push_back({&result.recall_at_rank, expected::recall(rank, items)});
  }
  for (const Index radius : result.radii) {
    points.push_back({&result.precision_in_radius, expected::precision_in_radius(radius, items)});
    points.push_back({&result.recall_in_radius, [radius](const RankedQuery& query) {
                        return to_double(query.within[static_cast<std::size_t>(radius)].relevant) /
                               to_double(query.relevant.front());
                      }});
  }
  return points;
}

}  // namespace

Curves evaluate_curves(const CodeMatrix& database, const CodeMatrix& queries,
                       const BitWeights& bit_weights, const GroundTruth& truth,
                       const CurveOptions& curves, const EvaluationOptions& options) {
  check_options(curves);
  require_sizes(truth, queries.rows(), database.rows());
  Curves result;
  result.recall_levels = curves.recall_levels;
  std::ranges::copy_if(curves.ranks, std::back_inserter(result.ranks),
                       [&](Index rank) { return rank <= database.rows(); });
  for (Index radius = 0; radius <= std::min(curves.max_radius, database.bits()); ++radius) {
    result.radii.push_back(radius);
  }
  const std::vector<Point> points = points_of(result, database.rows());
  Matrix<double> values = Matrix<double>::Zero(queries.rows(), std::ssize(points));
  result.queries_without_relevant = for_each_ranked_query(
      code_ranker(database, queries, bit_weights, options.ties), truth, std::ssize(result.radii),
      options, [&](Index query, const RankedQuery& ranked) {
        for (Index point = 0; point < values.cols(); ++point) {
          values(query, point) = points[static_cast<std::size_t>(point)].value(ranked);
        }
      });
  const double counted = to_double(queries.rows() - result.queries_without_relevant);
  for (Index point = 0; point < values.cols(); ++point) {
    double sum = 0.0;  // in query order: the same bytes for any number of threads
    for (Index query = 0; query < values.rows(); ++query) {
      sum += values(query, point);
    }
    points[static_cast<std::size_t>(point)].curve->push_back(sum / counted);
  }
  return result;
}

}  // namespace structhash
