#include "structhash/evaluation/curves.hpp"

#include <algorithm>
#include <cmath>

#include "evaluation/ranker.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// One value of a curve: a name for the mean over queries of `value`.
struct Point {
  std::vector<double>* curve;  // where its mean is appended
  MeasureFunction value;
};

void check(const CurveOptions& curves) {
  for (const double level : curves.recall_levels) {
    require(level > 0.0 && level <= 1.0, "recall levels must be above 0 and at most 1");
  }
  for (const Index rank : curves.ranks) {
    require(rank >= 1, "the ranks of a curve must be at least 1");
  }
  require(curves.largest_radius >= 0, "the largest radius of a curve must be at least 0");
}

std::vector<Point> points_of(Curves& result, Index items) {
  std::vector<Point> points;
  points.reserve(result.recall_levels.size() + 2 * (result.ranks.size() + result.radii.size()));
  for (const double level : result.recall_levels) {
    points.push_back({&result.precision_at_recall, [level](const RankedQuery& query) {
                        return precision_at_recall(query, level);
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

/// Inside a group the expected number of relevant items grows by p/n a rank, so the level L R is
/// reached t = ceil((L R - P0) n/p) ranks into it.
double precision_at_recall(const RankedQuery& query, double level) {
  // Rounding must not ask for a hair more than a whole item: 0.7 * 10 is 7, not 7.000000000000001.
  const double wanted = level * to_double(query.relevant.front()) * (1.0 - 1e-12);
  Index items_before = 0;
  Index relevant_before = 0;
  for (const auto& [items, relevant] : query.groups()) {
    if (to_double(relevant_before + relevant) >= wanted) {
      const double share = to_double(relevant) / to_double(items);
      const double ranks = std::max(1.0, std::ceil((wanted - to_double(relevant_before)) / share));
      return (to_double(relevant_before) + share * ranks) / (to_double(items_before) + ranks);
    }
    items_before += items;
    relevant_before += relevant;
  }
  return 0.0;  // never reached: not every relevant item was found
}

Curves evaluate_curves(const CodeMatrix& database, const CodeMatrix& queries,
                       std::span<const float> bit_weights, const GroundTruth& truth,
                       const CurveOptions& curves, const EvaluationOptions& options) {
  check(curves);
  require_sizes(truth, queries.rows(), database.rows());
  Curves result;
  result.recall_levels = curves.recall_levels;
  std::ranges::copy_if(curves.ranks, std::back_inserter(result.ranks),
                       [&](Index rank) { return rank <= database.rows(); });
  for (Index radius = 0; radius <= std::min(curves.largest_radius, database.bits()); ++radius) {
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
