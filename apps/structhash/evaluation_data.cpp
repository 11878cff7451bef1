#include "evaluation_data.hpp"

#include <fmt/format.h>

#include <utility>

#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

RowIds row_numbers(const std::vector<Index>& rows) {
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const Index row : rows) {
    names.push_back(std::to_string(row + 1));
  }
  return RowIds::listed(std::move(names));
}

EvaluationData from_query_files(const HashModel& model, const EvaluationFiles& files, int threads,
                                const ProgressCallback& on_progress) {
  EvaluationData data;
  data.database = encode_files(model, files.database, threads, on_progress);
  data.queries = encode_files(model, files.queries, threads, on_progress);
  data.query_ids = RowIds::numbers(data.queries.rows());
  data.item_ids = RowIds::numbers(data.database.rows());
  data.truth =
      files.relevance.empty()
          ? GroundTruth::from_labels(read_labels(files.queries, data.queries.rows()),
                                     read_labels(files.database, data.database.rows()))
          : GroundTruth::from_judgments(read_qrels(files.relevance, data.query_ids, data.item_ids));
  return data;
}

EvaluationData from_one_data_set(const HashModel& model, const EvaluationFiles& files, Seed seed,
                                 int threads, const ProgressCallback& on_progress) {
  const CodeMatrix codes = encode_files(model, files.database, threads, on_progress);
  const Labels labels = read_labels(files.database, codes.rows());
  const Split rows = split(codes.rows(), files.query_count, /*train=*/0, seed);
  return {
      .database = select(codes, rows.database),
      .queries = select(codes, rows.queries),
      .truth = GroundTruth::from_labels(labels.select(rows.queries), labels.select(rows.database)),
      .query_ids = row_numbers(rows.queries),
      .item_ids = row_numbers(rows.database)};
}

}  // namespace

void add_evaluation_options(Command& command, EvaluationFiles& files) {
  add_feature_options(command, files.database);
  add_label_options(command, files.database);
  command.texts(
      {"--query-features", "FILE...", "Feature vectors of the queries, in separate files"},
      files.queries.features);
  command.texts({"--query-labels", "FILE...", "Labels of the queries"}, files.queries.labels);
  command.number({"--queries", "N",
                  "Without query files: take N random rows as queries, the others as database"},
                 files.query_count, 1);
  command.text({"--relevance", "FILE",
                "TREC judgments (qrels) in place of labels; ids are row numbers from 1"},
               files.relevance);
}

EvaluationData prepare_evaluation(const HashModel& model, const EvaluationFiles& files, Seed seed,
                                  int threads, const ProgressCallback& on_progress) {
  const bool query_files = !files.queries.features.empty();
  require(query_files || files.query_count > 0,
          "no queries given; use --query-features with --query-labels, or --queries N to take N "
          "random rows");
  require(!query_files || files.query_count == 0,
          "--query-features and --queries exclude each other; use one");
  require(files.relevance.empty() || query_files,
          "--relevance needs the query vectors; give them with --query-features");
  if (query_files) {
    EvaluationFiles completed = files;
    completed.queries.format = files.database.format;
    completed.queries.label_format = files.database.label_format;
    return from_query_files(model, completed, threads, on_progress);
  }
  return from_one_data_set(model, files, seed, threads, on_progress);
}

}  // namespace structhash::cli
