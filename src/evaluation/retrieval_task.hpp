#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "structhash/baselines/methods.hpp"
#include "structhash/evaluation/evaluate.hpp"
#include "structhash/evaluation/ground_truth.hpp"
#include "structhash/evaluation/result_row.hpp"

/// One retrieval task, and the results of a method on it: the same steps for experiments and the
/// demo.
namespace structhash {

/// How people recognise a row: a picture as a data URI, or a text.  Empty functions where rows have
/// none.
using RowText = std::function<std::string(Index row)>;

struct RetrievalTask {
  std::string name;
  TrainingSet training;
  Dataset queries;   // labels may be empty
  Dataset database;  // labels may be empty
  GroundTruth truth;
  RowText query_picture;
  RowText database_picture;
  RowText query_text;
  RowText database_text;
  std::vector<Index> shown;  // queries whose results are kept as pictures or texts
  Index shown_items = 12;    // nearest items that are kept for each
};

/// The first query of each class, in order of appearance, at most `count`; without classes the
/// first `count`.
std::vector<Index> queries_to_show(const Labels& labels, Index queries, Index count);

/// A method with its options, as in the method table and in result rows.
struct MethodRun {
  const MethodEntry* method = nullptr;
  MethodOptions options;
  std::string params = "{}";     // JSON object
  std::string database = "all";  // of the task, for its rows
  std::string config_hash;
};

/// Encodes, and evaluates by every distance of the model: weighted if it has weights, plain
/// Hamming, adaptive if it has mean magnitudes, and the method's own if it has one.  A row for
/// each, with its details.  `known` holds the fields that only the caller knows: params, database,
/// seed, train_seconds and config_hash.
std::vector<DetailedRow> evaluate_model(const RetrievalTask& task, const HashModel& model,
                                        const ResultRow& known,
                                        std::span<const std::string> measures,
                                        const FitContext& context);

/// Evaluates a ranking that is not one of codes; `known` as above, with method, bits and distance.
DetailedRow evaluate_ranking(const RetrievalTask& task, const DistanceSource& distances,
                             const ResultRow& known, std::span<const std::string> measures,
                             const FitContext& context);

/// Trains, and evaluates the model.
std::vector<DetailedRow> run_method(const RetrievalTask& task, const MethodRun& run,
                                    std::span<const std::string> measures,
                                    const FitContext& context);

}  // namespace structhash
