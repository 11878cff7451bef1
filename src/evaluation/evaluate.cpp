#include "structhash/evaluation/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluation/ranker.hpp"
#include "structhash/core/error.hpp"
#include "structhash/ranking/measures.hpp"

namespace structhash {
namespace {

/// Number of radii 0, 1, ... that have to be counted for these measures.
Index radii_needed(const std::vector<NamedMeasure>& requests, Index longest) {
  Index radii = 0;
  for (const NamedMeasure& request : requests) {
    if (request.entry->cutoff == CutOff::radius) {
      radii = std::max(radii, std::min(request.cutoff, longest) + 1);
    }
  }
  return radii;
}

/// Means in query order: the same bytes for any number of threads.
std::vector<double> means_of(const Matrix<double>& per_query, Index counted) {
  std::vector<double> means(static_cast<std::size_t>(per_query.cols()), 0.0);
  for (Index query = 0; query < per_query.rows(); ++query) {
    for (Index measure = 0; measure < per_query.cols(); ++measure) {
      const double value = per_query(query, measure);
      means[static_cast<std::size_t>(measure)] += std::isnan(value) ? 0.0 : value;
    }
  }
  std::ranges::for_each(means, [&](double& mean) { mean /= to_double(counted); });
  return means;
}

Evaluation evaluate_ranked(const MakeRanker& make_ranker, const GroundTruth& truth,
                           std::span<const std::string> measures, Index longest_radius,
                           const EvaluationOptions& options) {
  require(!measures.empty(), "name at least one measure, such as map or ndcg@100");
  std::vector<NamedMeasure> requests;
  std::vector<MeasureFunction> functions;
  Evaluation result;
  for (const std::string& text : measures) {
    requests.push_back(parse_measure(text));
    functions.push_back(requests.back().entry->expected(requests.back().cutoff, truth.items()));
    result.measures.push_back(requests.back().name());
  }
  result.per_query.setConstant(truth.queries(), std::ssize(requests),
                               std::numeric_limits<double>::quiet_NaN());
  result.queries_without_relevant = for_each_ranked_query(
      make_ranker, truth, radii_needed(requests, longest_radius), options,
      [&](Index query, const RankedQuery& ranked) {
        for (Index measure = 0; measure < result.per_query.cols(); ++measure) {
          result.per_query(query, measure) = functions[static_cast<std::size_t>(measure)](ranked);
        }
      });
  result.means = means_of(result.per_query, truth.queries() - result.queries_without_relevant);
  return result;
}

}  // namespace

Evaluation evaluate(const CodeMatrix& database, const CodeMatrix& queries,
                    const BitWeights& bit_weights, const GroundTruth& truth,
                    std::span<const std::string> measures, const EvaluationOptions& options) {
  require_sizes(truth, queries.rows(), database.rows());
  return evaluate_ranked(code_ranker(database, queries, bit_weights, options.ties), truth, measures,
                         database.bits(), options);
}

Evaluation evaluate_rankings(const DistanceSource& distances, const GroundTruth& truth,
                             std::span<const std::string> measures,
                             const EvaluationOptions& options) {
  constexpr Index kMaxRadius = 1'000'000;  // a counter per unit of distance is kept
  for (const std::string& text : measures) {
    const NamedMeasure request = parse_measure(text);
    require(
        request.entry->cutoff != CutOff::radius || request.cutoff <= kMaxRadius,
        fmt::format(
            "measure '{}': the radius of real distances must be at most {}; scale the distances",
            text, kMaxRadius));
  }
  return evaluate_ranked(distance_ranker(distances, truth.items(), options.ties), truth, measures,
                         kMaxRadius, options);
}

Evaluation evaluate_distances(const MatrixView& distances, const GroundTruth& truth,
                              std::span<const std::string> measures,
                              const EvaluationOptions& options) {
  require_sizes(truth, distances.rows(), distances.cols());
  return evaluate_rankings(
      [&](Index query, std::span<double> row) {
        for (std::size_t i = 0; i < row.size(); ++i) {
          row[i] = static_cast<double>(distances(query, static_cast<Index>(i)));
        }
      },
      truth, measures, options);
}

}  // namespace structhash
