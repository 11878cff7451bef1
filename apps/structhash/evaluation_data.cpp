#include "evaluation_data.hpp"

#include <fmt/format.h>

#include <algorithm>
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

EvaluationData from_query_files(const HashModel& model, const EvaluationFiles& files,
                                Distance distance, int threads,
                                const ProgressCallback& on_progress) {
  EvaluationData data;
  data.database = encode_files(model, files.database, threads, on_progress).codes;
  EncodedFiles queries = encode_files(model, files.queries, threads, on_progress);
  data.queries = std::move(queries.codes);
  data.trained_share = share_of_training_rows(model.training, queries.matches);
  if (distance == Distance::adaptive) {
    data.query_values.resize(data.queries.rows(), model.bits());
    Index row = 0;
    read_blocks(
        files.queries, model.dimension(), "encoding", on_progress, [&](const MatrixView& block) {
          data.query_values.middleRows(row, block.rows()) = adaptive_values(model, block, threads);
          row += block.rows();
        });
  }
  data.query_ids = RowIds::numbers(data.queries.rows());
  data.item_ids = RowIds::numbers(data.database.rows());
  data.truth =
      files.relevance.empty()
          ? GroundTruth::from_labels(read_labels(files.queries, data.queries.rows()),
                                     read_labels(files.database, data.database.rows()))
          : GroundTruth::from_judgments(read_qrels(files.relevance, data.query_ids, data.item_ids));
  return data;
}

EvaluationData from_one_data_set(const HashModel& model, const EvaluationFiles& files,
                                 Distance distance, Seed seed, int threads,
                                 const ProgressCallback& on_progress) {
  const auto [codes, matches] = encode_files(model, files.database, threads, on_progress);
  const Labels labels = read_labels(files.database, codes.rows());
  const Split rows = split(codes.rows(), files.query_count, files.left_out, seed,
                           /*leave_out_training=*/true);
  std::vector<RowMatch> of_queries(rows.queries.size());
  std::ranges::transform(rows.queries, of_queries.begin(),
                         [&](Index row) { return matches[static_cast<std::size_t>(row)]; });
  Matrix<float> values;
  if (distance == Distance::adaptive) {
    const auto reader =
        open_features(files.database.features, files.database.format, model.dimension());
    values = adaptive_values(model, read_rows(*reader, rows.queries), threads);
  }
  return {
      .database = select(codes, rows.database),
      .queries = select(codes, rows.queries),
      .query_values = std::move(values),
      .truth = GroundTruth::from_labels(labels.select(rows.queries), labels.select(rows.database)),
      .query_ids = row_numbers(rows.queries),
      .item_ids = row_numbers(rows.database),
      .trained_share = share_of_training_rows(model.training, of_queries)};
}

}  // namespace

void add_evaluation_options(Command& command, EvaluationFiles& files) {
  add_feature_options(command, files.database);
  add_label_options(command, files.database);
  command.inputs(
      {"--query-features", "FILE...", "Feature vectors of the queries, in separate files"},
      files.queries.features);
  command.inputs({"--query-labels", "FILE...", "Labels of the queries"}, files.queries.labels);
  command.number({"--queries", "N",
                  "Without query files: take N random rows as queries, the others as database"},
                 files.query_count, 1);
  command.number({"--without-training", "N",
                  "Leave the rows that train --queries --train-size N takes out of the database"},
                 files.left_out, 1);
  command.input({"--relevance", "FILE",
                 "TREC judgments (qrels) in place of labels; ids are row numbers from 1"},
                files.relevance);
}

EvaluationData prepare_evaluation(const HashModel& model, const EvaluationFiles& files,
                                  Distance distance, Seed seed, int threads,
                                  const ProgressCallback& on_progress) {
  const bool query_files = !files.queries.features.empty();
  require(query_files || files.query_count > 0,
          "no queries given; use --query-features with --query-labels, or --queries N to take N "
          "random rows");
  require(!query_files || (files.query_count == 0 && files.left_out == 0),
          "--query-features goes neither with --queries nor with --without-training");
  require(files.relevance.empty() || query_files,
          "--relevance needs the query vectors; give them with --query-features");
  if (query_files) {
    EvaluationFiles completed = files;
    completed.queries.format = files.database.format;
    completed.queries.label_format = files.database.label_format;
    return from_query_files(model, completed, distance, threads, on_progress);
  }
  return from_one_data_set(model, files, distance, seed, threads, on_progress);
}

}  // namespace structhash::cli
