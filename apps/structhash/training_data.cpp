#include "training_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interrupt.hpp"
#include "shard_data.hpp"
#include "structhash/core/error.hpp"
#include "structhash/ranking/measures.hpp"
#include "terminal.hpp"

namespace structhash::cli {
namespace {

Matrix<float> vstack(const Matrix<float>& upper, const Matrix<float>& lower) {
  Matrix<float> both(upper.rows() + lower.rows(), upper.cols());
  both << upper, lower;
  return both;
}

/// Learned from the chosen rows; `rows` empty: all.
std::shared_ptr<const SparseProjection> learn_projection(const TrainingFiles& files,
                                                         const std::vector<Index>& rows, Seed seed,
                                                         int threads) {
  SparseRows x = load_sparse_features(files.items.features, files.items.feature_options());
  if (!rows.empty()) {
    x = select(x, rows);
  }
  return std::make_shared<const SparseProjection>(
      fit_projection(x, files.components, seed.fork("projection"), interruptible(threads)));
}

JudgedListOptions judged_options(const TrainingFiles& files) {
  JudgedListOptions options{.lists = files.lists};
  if (!files.measure.empty()) {
    const NamedMeasure measure = parse_measure(files.measure);
    options.discount = measure.entry->discount;
    options.cutoff = std::max<Index>(1, measure.cutoff);
  }
  return options;
}

/// Queries that have files of their own, with judgments or labels.
TrainingData from_query_files(const TrainingFiles& files, Seed seed, int threads) {
  TrainingData data;
  DataFiles item_files = files.items;
  if (files.components > 0) {
    item_files.projection = data.projection = learn_projection(files, {}, seed, threads);
  }
  Matrix<float> items = load_features(item_files);
  DataFiles query_files = files.completed_query_files();
  query_files.projection = data.projection;
  note_columns(query_files);
  const bool two = files.two_encoders || !fits(query_files, items.cols());
  Matrix<float> queries = load_features(query_files, two ? 0 : items.cols());
  const std::vector<Index> kept = split(queries.rows(), files.queries, /*train=*/0, seed).database;
  const Seed stream = seed.fork("lists");
  BuiltLists lists;
  if (files.relevance.empty()) {
    data.set.labels = vstack(read_labels(files.items, items.rows()),
                             read_labels(query_files, queries.rows()).select(kept));
    ListOptions options = files.lists;
    options.items = items.rows();
    lists = lists_from_labels(data.set.labels, options, stream, threads);
  } else {
    const Judgments judgments = read_qrels(files.relevance, row_ids(query_files, queries.rows()),
                                           row_ids(files.items, items.rows()));
    lists =
        lists_from_judgments(of_queries(judgments, kept), judged_options(files), stream, threads);
  }
  queries = Matrix<float>(queries(kept, Eigen::all));
  data.rows = items.rows() + queries.rows();
  data.set.finite = true;
  if (two) {
    print_note(
        fmt::format("queries of {} columns get an encoder of their own, beside that of items "
                    "of {}",
                    queries.cols(), items.cols()));
    data.set.x = std::move(items);
    data.set.queries = std::move(queries);
  } else {
    data.set.x = vstack(items, queries);
  }
  attach_lists(data, std::move(lists));
  return data;
}

/// Without --queries and --train-size, all rows.
std::vector<Index> training_rows(const TrainingFiles& files, Index rows, Seed seed) {
  if (files.train_size == 0) {
    return split(rows, files.queries, /*train=*/0, seed).database;
  }
  return split(rows, files.queries, files.train_size, seed).train;
}

Index count_shards(const TrainingFiles& files, Index rows, bool may_shard) {
  const Index shards = may_shard ? (files.shards > 0 ? files.shards : shards_for(rows)) : 1;
  require(shards == 1 || shards <= rows / 2, "--shards: a shard needs at least two rows");
  return shards;
}

/// Reads the rows of the shards of this process; those of the next process only for a fingerprint.
void read_own_rows(TrainingData& data, FeatureReader& reader, std::vector<Index> chosen, Seed seed,
                   const Communicator& processes, const Labels& labels) {
  const RowRange own = own_shards(data.shards, processes);
  const RowRange next = next_shards(data.shards, processes);
  std::vector<Index> rows;
  std::vector<Index> of_next;
  {
    const std::vector<Index> order = assignment_order(std::move(chosen), data.shards, seed);
    rows = rows_of_shards(order, own, data.shards);
    if (next.begin != own.begin) {
      of_next = rows_of_shards(order, next, data.shards);
    }
  }
  if (!labels.empty()) {
    data.set.labels = labels.select(rows);
  }
  if (processes.size() == 1) {
    data.set.x = read_rows(reader, rows);
    return;
  }
  FingerprintedRows seen = read_with_fingerprints(reader, rows, of_next);
  data.set.x = std::move(seen.own);
  data.fingerprints = {common_fingerprint(reader, labels), seen.own_fingerprint,
                       seen.next_fingerprint};
}

TrainingData from_labels(const TrainingFiles& files, Supervision needed, Seed seed, int threads,
                         const Readers& readers) {
  TrainingData data;
  auto reader = open_features(files.items);
  std::vector<Index> chosen = training_rows(files, reader->rows(), seed);
  if (files.components > 0) {
    DataFiles items = files.items;
    items.projection = data.projection = learn_projection(files, chosen, seed, threads);
    reader = open_features(items);
  }
  data.rows = std::ssize(chosen);
  data.shards = count_shards(files, data.rows, readers.may_shard);
  Labels labels;
  if (needed != Supervision::none || !files.items.labels.empty()) {
    labels = read_labels(files.items, reader->rows());
  }
  data.set.finite = true;  // the reader checks
  read_own_rows(data, *reader, std::move(chosen), seed, readers.processes, labels);
  labels = {};
  const RowRange own = own_shards(data.shards, readers.processes);
  const std::vector<Index> sizes = shard_sizes(data.rows, own, data.shards);
  const Seed stream = seed.fork("lists");
  if (needed == Supervision::lists && data.shards == 1) {
    attach_lists(data, lists_from_labels(data.set.labels, files.lists, stream, threads));
  } else if (needed == Supervision::lists) {
    data.set.shards = sizes;
    attach_lists(data,
                 lists_of_shards(data.set.labels, sizes, own.begin, files.lists, stream, threads));
  }
  return data;
}

}  // namespace

void add_training_options(Command& command, TrainingFiles& files) {
  add_feature_options(command, files.items);
  add_label_options(command, files.items, kLabelHelp);
  command.input({"--relevance", "FILE",
                 "TREC judgments (qrels) in place of labels; ids are row numbers from 1, the id "
                 "column, or those of --item-ids and --query-ids"},
                files.relevance);
  command.inputs({"--query-features", "FILE...",
                  "Feature vectors of queries that are not among the rows; with another number of "
                  "columns they get an encoder of their own"},
                 files.query_files.features);
  command.inputs({"--query-labels", "FILE...", "With --labels: labels of these queries"},
                 files.query_files.labels);
  command.flag("--two-encoders", files.two_encoders,
               "The queries are of another kind than the items: learn an encoder for each, also if "
               "they have as many columns");
  command.input({"--item-ids", "FILE", "With --relevance: ids of the rows, one per line"},
                files.items.ids);
  command.input({"--query-ids", "FILE", "With --relevance: ids of the queries, one per line"},
                files.query_files.ids);
  command.number(
      {"--queries", "N",
       "Hold out N random rows, with --query-features N queries: those that evaluate --queries N "
       "uses (default 0)"},
      files.queries, 0);
  command.number({"--train-size", "N",
                  "Train on N random rows of the rest (default: all, or what fits into memory)"},
                 files.train_size, 1);
  command.number({"--relevant", "N", "Relevant items per query for training (default 50)"},
                 files.lists.relevant, 1);
  command.number({"--irrelevant", "N", "Irrelevant items per query for training (default 50)"},
                 files.lists.irrelevant, 1);
  command.word(
      {"--label-grades", "NAME",
       "With several labels per row, what makes an item more relevant: shared labels "
       "(default), jaccard: shared labels over labels of either row, or any: nothing"},
      [&files](const std::string& word) { files.lists.grades = parse_label_grades(word); });
  command.number(
      {"--sparse-components", "N",
       "Features are sparse (libsvm files): learn from their N leading components, without making "
       "them dense"},
      files.components, 1);
  command.number(
      {"--shards", "N",
       "Cut the rows into N shards, which several processes can share; the lists of a query "
       "use rows of its shard (default: 1, and 8 or more from 131,072 rows on)"},
      files.shards, 1);
}

void attach_lists(TrainingData& data, BuiltLists lists) {
  data.set.lists = std::exchange(lists.lists, {});
  data.lists = std::move(lists);
}

void check_training_options(const TrainingFiles& files, Supervision needed, bool may_shard) {
  require(may_shard || files.shards <= 1,
          "--shards needs the method structhash with linear or kernel functions and labels");
  require(files.components == 0 || files.shards <= 1,
          "--sparse-components cannot be combined with --shards; leave one out");
  require(!files.two_encoders || files.separate_queries(),
          "--two-encoders needs the query vectors; give them with --query-features");
  require(files.components == 0 || !files.two_encoders,
          "--sparse-components learns one encoder; make the features dense for --two-encoders");
  require(!files.separate_queries() || files.train_size == 0,
          "--train-size cannot be combined with --query-features, which use every item");
  require(!files.separate_queries() || files.shards <= 1,
          "--shards needs labels of the rows; it cannot be used with --query-features");
  require(files.query_files.labels.empty() || files.separate_queries(),
          "--query-labels needs the query vectors; give them with --query-features");
  if (files.relevance.empty()) {
    require(!files.separate_queries() || !files.query_files.labels.empty() ||
                !files.items.table.label_column.empty(),
            "--query-features needs --relevance, or --query-labels with --labels");
    require(!files.separate_queries() || needed == Supervision::lists,
            "this method does not learn from separate queries; leave out --query-features");
    require(files.items.ids.empty() && files.query_files.ids.empty(),
            "--item-ids and --query-ids need --relevance, whose ids they name");
    return;
  }
  require(files.items.labels.empty() && files.query_files.labels.empty(),
          "--labels and --relevance cannot be combined; use one");
  require(needed != Supervision::labels,
          "this method learns from labels; give --labels instead of --relevance");
  require(files.lists.grades == LabelGrades::shared,
          "--label-grades needs labels; with --relevance the judgments are the grades");
  require(files.separate_queries(),
          "--relevance needs the query vectors; give them with --query-features");
}

TrainingData prepare_training(const TrainingFiles& files, Supervision needed, Seed seed,
                              int threads, const Readers& readers) {
  return files.separate_queries() ? from_query_files(files, seed, threads)
                                  : from_labels(files, needed, seed, threads, readers);
}

}  // namespace structhash::cli
