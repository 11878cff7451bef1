#include "evaluation_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ranges>
#include <utility>

#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

RowIds select(const RowIds& ids, const std::vector<Index>& rows) {
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const Index row : rows) {
    names.push_back(ids.id(row));
  }
  return RowIds::listed(std::move(names));
}

std::vector<RowMatch> select(const std::vector<RowMatch>& matches, const std::vector<Index>& rows) {
  std::vector<RowMatch> chosen(rows.size());
  std::ranges::transform(rows, chosen.begin(),
                         [&](Index row) { return matches[static_cast<std::size_t>(row)]; });
  return chosen;
}

/// With judgments, --queries N takes the N random queries that train --queries N left out.
std::vector<Index> chosen_queries(const EvaluationFiles& files, Index rows, Seed seed) {
  if (files.query_count > 0) {
    return split(rows, files.query_count, /*train=*/0, seed).queries;
  }
  std::vector<Index> all(static_cast<std::size_t>(rows));
  std::ranges::copy(std::views::iota(Index{0}, rows), all.begin());
  return all;
}

GroundTruth truth_of_files(const EvaluationFiles& files, const EvaluationData& data,
                           const RowIds& query_ids, const std::vector<Index>& queries,
                           int threads) {
  if (files.nearest > 0.0) {
    return GroundTruth::from_neighbours(load_features(files.queries), load_features(files.database),
                                        files.nearest, threads);
  }
  if (!files.relevance.empty()) {
    return GroundTruth::from_judgments(
        of_queries(read_qrels(files.relevance, query_ids, data.item_ids), queries));
  }
  return GroundTruth::from_labels(read_labels(files.queries, query_ids.rows()).select(queries),
                                  read_labels(files.database, data.database.rows()));
}

EvaluationData from_query_files(const HashModel& model, const EvaluationFiles& files,
                                QueryDistance distance, Seed seed, int threads,
                                const ProgressCallback& on_progress) {
  EvaluationData data;
  data.database = encode_files(model, files.database, threads, on_progress).codes;
  const HashModel encoding = query_model(model);
  const auto [codes, matches] = encode_files(encoding, files.queries, threads, on_progress);
  const std::vector<Index> chosen = chosen_queries(files, codes.rows(), seed);
  data.queries = select(codes, chosen);
  data.trained_share = share_of_training_rows(model.training, select(matches, chosen));
  if (uses_values(distance)) {
    const auto reader = open_features(files.queries, encoding.dimension());
    data.query_values = query_values(encoding, distance, read_rows(*reader, chosen), threads);
  }
  const RowIds query_ids = row_ids(files.queries, codes.rows());
  data.query_ids = select(query_ids, chosen);
  data.item_ids = row_ids(files.database, data.database.rows());
  data.truth = truth_of_files(files, data, query_ids, chosen, threads);
  return data;
}

GroundTruth truth_of_split(const EvaluationFiles& files, const Split& rows, Index all,
                           int threads) {
  if (files.nearest > 0.0) {
    const auto features = [&files](const std::vector<Index>& chosen) {
      return read_rows(*open_features(files.database), chosen);
    };
    return GroundTruth::from_neighbours(features(rows.queries), features(rows.database),
                                        files.nearest, threads);
  }
  const Labels labels = read_labels(files.database, all);
  return GroundTruth::from_labels(labels.select(rows.queries), labels.select(rows.database));
}

EvaluationData from_one_data_set(const HashModel& model, const EvaluationFiles& files,
                                 QueryDistance distance, Seed seed, int threads,
                                 const ProgressCallback& on_progress) {
  const auto [codes, matches] = encode_files(model, files.database, threads, on_progress);
  const Split rows = split(codes.rows(), files.query_count, files.left_out, seed,
                           /*leave_out_training=*/true);
  Matrix<float> values;
  if (uses_values(distance)) {
    const auto reader = open_features(files.database, model.dimension());
    values = query_values(model, distance, read_rows(*reader, rows.queries), threads);
  }
  const RowIds ids = row_ids(files.database, codes.rows());
  return {.database = select(codes, rows.database),
          .queries = select(codes, rows.queries),
          .query_values = std::move(values),
          .truth = truth_of_split(files, rows, codes.rows(), threads),
          .query_ids = select(ids, rows.queries),
          .item_ids = select(ids, rows.database),
          .trained_share = share_of_training_rows(model.training, select(matches, rows.queries))};
}

double parse_share(const std::string& word) {
  double share = 0.0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), share);
  require(problem == std::errc() && end == word.data() + word.size() && share > 0.0 && share < 1.0,
          fmt::format("--nearest must be a number between 0 and 1, got '{}'", word));
  return share;
}

}  // namespace

void add_evaluation_options(Command& command, EvaluationFiles& files) {
  add_feature_options(command, files.database);
  add_label_options(command, files.database, kLabelHelp);
  command.inputs(
      {"--query-features", "FILE...", "Feature vectors of the queries, in separate files"},
      files.queries.features);
  command.inputs({"--query-labels", "FILE...", "Labels of the queries"}, files.queries.labels);
  command.number(
      {"--queries", "N",
       "Take N random rows as queries, the others as database; with --query-features: the N "
       "queries that train --queries N leaves out"},
      files.query_count, 1);
  command.number(
      {"--without-training", "N",
       "Exclude from the database the rows that train --queries --train-size N trains on"},
      files.left_out, 1);
  command.input({"--relevance", "FILE",
                 "TREC judgments (qrels) in place of labels; ids are row numbers from 1, the id "
                 "column, or those of --item-ids and --query-ids"},
                files.relevance);
  command.input({"--item-ids", "FILE", "Ids of the database rows, one per line"},
                files.database.ids);
  command.input({"--query-ids", "FILE", "Ids of the rows of --query-features, one per line"},
                files.queries.ids);
  command.word({"--nearest", "SHARE",
                "In place of labels: this share of the database, nearest by Euclidean distance, "
                "is relevant; for example 0.02"},
               [&files](const std::string& word) { files.nearest = parse_share(word); });
}

EvaluationData prepare_evaluation(const HashModel& model, const EvaluationFiles& files,
                                  QueryDistance distance, Seed seed, int threads,
                                  const ProgressCallback& on_progress) {
  const bool query_files = !files.queries.features.empty();
  require(query_files || files.query_count > 0,
          "no queries given; use --query-features with --query-labels, or --queries N to take N "
          "random rows");
  require(!query_files || files.left_out == 0,
          "--query-features cannot be combined with --without-training");
  require(query_files || !model.query_encoder,
          "this model has an encoder of its own for queries; give them with --query-features");
  require(files.nearest == 0.0 || !model.query_encoder,
          "--nearest compares queries with items, which are of two kinds here; use labels or "
          "--relevance");
  require(files.relevance.empty() || query_files,
          "--relevance needs the query vectors; give them with --query-features");
  require(files.queries.ids.empty() || query_files,
          "--query-ids needs --query-features; random queries have the ids of --item-ids");
  require(files.nearest == 0.0 || (files.relevance.empty() && files.database.labels.empty() &&
                                   files.queries.labels.empty()),
          "--nearest cannot be combined with labels or --relevance; use one of them");
  note_columns(files.database);
  if (query_files) {
    EvaluationFiles completed = files;
    completed.queries.table = files.database.table;
    completed.queries.label_format = files.database.label_format;
    note_columns(completed.queries);
    return from_query_files(model, completed, distance, seed, threads, on_progress);
  }
  return from_one_data_set(model, files, distance, seed, threads, on_progress);
}

}  // namespace structhash::cli
