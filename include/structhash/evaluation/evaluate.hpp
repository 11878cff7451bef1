#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "structhash/codes/code_matrix.hpp"
#include "structhash/codes/distance.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/evaluation/ground_truth.hpp"

/// How well codes or distances rank a database for queries, by any number of measures at once
/// (ranking/measures.hpp).
namespace structhash {

/// The order of items at equal distance.
enum class Ties {
  average,  // expected value over all orders, in closed form: the default
  best,     // relevant items first
  worst,    // relevant items last
  id,       // in the order of the database
};

Ties parse_ties(std::string_view name);
std::string_view name_of(Ties ties);

struct EvaluationOptions {
  Ties ties = Ties::average;
  Threads threads = 1;  // 0: all processors; a stop flag is checked for every query
  ProgressCallback on_progress = {};
};

struct Evaluation {
  std::vector<std::string> measures;   // "ndcg@100", ...
  std::vector<double> means;           // over the queries that have a relevant item
  Matrix<double> per_query;            // queries x measures; NaN where a query has no relevant item
  Index queries_without_relevant = 0;  // left out of the means
};

/// Codes by Hamming distance or, with weights, by weighted Hamming distance, Eq. (6).
/// Radii always count bits, weighted or not.  Throws Errc::bad_data if no query has a relevant
/// item. Cost: O(database) per query; memory O(database) per thread.
Evaluation evaluate(const CodeMatrix& database, const CodeMatrix& queries,
                    const BitWeights& bit_weights, const GroundTruth& truth,
                    std::span<const std::string> measures, const EvaluationOptions& options);

/// Any ranking: one row of distances per query, one column per database item; smaller is nearer
/// (negate similarities).  Equal distances are ties.  +infinity means "not found": such an item
/// has no rank but counts among the relevant ones.  Radii compare with the distances themselves.
using DistanceSource = std::function<void(Index query, std::span<double> distances)>;
Evaluation evaluate_rankings(const DistanceSource& distances, const GroundTruth& truth,
                             std::span<const std::string> measures,
                             const EvaluationOptions& options);
Evaluation evaluate_distances(const MatrixView& distances, const GroundTruth& truth,
                              std::span<const std::string> measures,
                              const EvaluationOptions& options);

}  // namespace structhash
