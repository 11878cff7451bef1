#include "training_data.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

#include "structhash/core/error.hpp"
#include "structhash/core/fingerprint.hpp"
#include "structhash/core/shards.hpp"

namespace structhash::cli {
namespace {

Matrix<float> below(const Matrix<float>& upper, const Matrix<float>& lower) {
  Matrix<float> both(upper.rows() + lower.rows(), upper.cols());
  both << upper, lower;
  return both;
}

TrainingData from_judgments(const TrainingFiles& files, Seed seed, int threads) {
  require(!files.query_features.empty(),
          "--relevance needs the query vectors: give them by --query-features");
  require(files.queries == 0 && files.train_size == 0,
          "--queries and --train-size go with labels; with --relevance every judged query is used");
  TrainingData data;
  const Matrix<float> items = load_features(files.items.features, files.items.format);
  const Matrix<float> queries =
      load_features(files.query_features, files.items.format, items.cols());
  const Judgments judgments =
      read_qrels(files.relevance, RowIds::numbers(queries.rows()), RowIds::numbers(items.rows()));
  data.set.x = below(items, queries);
  attach_lists(data, lists_from_judgments(judgments, {.lists = files.lists}, seed, threads));
  return data;
}

/// Without --queries and --train-size every row is learned from.
std::vector<Index> training_rows(const TrainingFiles& files, Index rows, Seed seed) {
  if (files.train_size == 0) {
    return split(rows, files.queries, /*train=*/0, seed).database;
  }
  return split(rows, files.queries, files.train_size, seed).train;
}

/// Reads for another and remembers what passed by.
class WatchedReader final : public FeatureReader {
 public:
  explicit WatchedReader(FeatureReader& inner) : inner_(inner) {}
  Index rows() const override { return inner_.rows(); }
  Index dimension() const override { return inner_.dimension(); }
  Index read(Index max_rows, Matrix<float>& block) override {
    const Index count = inner_.read(std::min(kRowsAtOnce, max_rows), block);
    seen_.add(std::span<const float>(block.data(), static_cast<std::size_t>(count * block.cols())));
    return count;
  }
  /// Of everything there is to read, and of labels.
  std::string fingerprint(const Labels& labels) {
    Matrix<float> rest;
    while (read(kRowsAtOnce, rest) > 0) {
    }
    seen_.add(std::span<const int>(labels.classes));
    seen_.add(std::span<const std::uint8_t>(labels.multi.data(),
                                            static_cast<std::size_t>(labels.multi.size())));
    return seen_.text();
  }

 private:
  static constexpr Index kRowsAtOnce =
      256;  // however many are asked for: what was seen is the same

  FeatureReader& inner_;
  Fingerprint seen_;
};

/// The rows of the shards of this process, shard by shard.  Shard k of S takes every S-th row from
/// the k-th on: files sorted by class give shards that hold all classes.
std::vector<Index> own_rows(const std::vector<Index>& chosen, RowRange own, Index shards,
                            std::vector<Index>& sizes) {
  std::vector<Index> rows;
  for (Index shard = own.begin; shard < own.end; ++shard) {
    const Index before = std::ssize(rows);
    for (Index at = shard; at < std::ssize(chosen); at += shards) {
      rows.push_back(chosen[static_cast<std::size_t>(at)]);
    }
    sizes.push_back(std::ssize(rows) - before);
  }
  return rows;
}

/// Lists whose items are drawn from the shard of their query.
BuiltLists lists_of_shards(const Labels& labels, std::span<const Index> sizes, Index first_shard,
                           const ListOptions& options, Seed seed, int threads) {
  BuiltLists all;
  Index begin = 0;
  for (std::size_t shard = 0; shard < sizes.size(); ++shard) {
    std::vector<Index> rows(static_cast<std::size_t>(sizes[shard]));
    std::iota(rows.begin(), rows.end(), begin);
    const Seed stream = seed.fork(static_cast<std::uint64_t>(first_shard) + shard);
    BuiltLists built = lists_from_labels(labels.select(rows), options, stream, threads);
    for (RelevanceList& list : built.lists) {
      list.query += begin;
      std::ranges::for_each(list.relevant, [&](Index& row) { row += begin; });
      std::ranges::for_each(list.irrelevant, [&](Index& row) { row += begin; });
      all.lists.push_back(std::move(list));
    }
    all.queries += built.queries;
    all.without_relevant += built.without_relevant;
    all.without_irrelevant += built.without_irrelevant;
    begin += sizes[shard];
  }
  return all;
}

/// The shards a process keeps: as many as any other, or one less.
RowRange own_shards(Index shards, const Communicator& processes) {
  const Index working = std::min<Index>(shards, processes.size());
  const Index rank = std::min<Index>(processes.rank(), working - 1);
  return {shards * rank / working, shards * (rank + 1) / working};
}

Index count_shards(const TrainingFiles& files, Index rows, bool may_cut) {
  require(may_cut || files.shards <= 1,
          "--shards is for the method structhash with linear or kernel functions and labels");
  const Index shards = may_cut ? (files.shards > 0 ? files.shards : shards_for(rows)) : 1;
  require(shards <= rows / 2, "--shards: a shard needs at least two rows");
  return shards;
}

TrainingData from_labels(const TrainingFiles& files, Supervision needed, Seed seed, int threads,
                         const Readers& readers) {
  TrainingData data;
  const auto reader = open_features(files.items.features, files.items.format);
  const std::vector<Index> chosen = training_rows(files, reader->rows(), seed);
  data.rows = std::ssize(chosen);
  data.shards = count_shards(files, data.rows, readers.may_cut);
  const RowRange own = own_shards(data.shards, readers.processes);
  std::vector<Index> sizes;
  const std::vector<Index> rows = own_rows(chosen, own, data.shards, sizes);
  Labels labels;
  if (needed != Supervision::none || !files.items.labels.empty()) {
    labels = read_labels(files.items, reader->rows());
    data.set.labels = labels.select(rows);
  }
  if (readers.processes.size() > 1) {
    WatchedReader watched(*reader);
    data.set.x = read_rows(watched, rows);
    data.fingerprint = watched.fingerprint(labels);
  } else {
    data.set.x = read_rows(*reader, rows);
  }
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
  add_label_options(command, files.items);
  command.text({"--relevance", "FILE",
                "TREC judgments (qrels) in place of labels; ids are row numbers from 1"},
               files.relevance);
  command.texts({"--query-features", "FILE...", "Feature vectors of the judged queries"},
                files.query_features);
  command.number({"--queries", "N",
                  "Leave out N random rows: the ones evaluate --queries N takes (default 0)"},
                 files.queries, 0);
  command.number(
      {"--train-size", "N", "Learn from N random rows of the rest (default: all of them)"},
      files.train_size, 1);
  command.number({"--relevant", "N", "Relevant items per query to learn from (default 50)"},
                 files.lists.relevant, 1);
  command.number({"--irrelevant", "N", "Irrelevant items per query to learn from (default 50)"},
                 files.lists.irrelevant, 1);
  command.number({"--shards", "N",
                  "Cut the rows into N shards, which several processes can share; queries learn "
                  "from rows of their own shard (default: 1, and 8 or more from 131,072 rows on)"},
                 files.shards, 1);
}

void attach_lists(TrainingData& data, BuiltLists lists) {
  data.set.lists = std::exchange(lists.lists, {});
  data.lists = std::move(lists);
}

Index shards_for(Index rows) {
  constexpr Index kFewestToCut = 131'072;
  constexpr Index kRowsPerShard = 16'384;
  constexpr Index kMost = 64;
  if (rows < kFewestToCut) {
    return 1;
  }
  const auto whole = static_cast<std::uint64_t>(rows / kRowsPerShard);
  return std::min(kMost, static_cast<Index>(std::bit_floor(whole)));
}

TrainingData prepare_training(const TrainingFiles& files, Supervision needed, Seed seed,
                              int threads, const Readers& readers) {
  if (files.relevance.empty()) {
    require(
        files.query_features.empty(),
        "--query-features goes with --relevance; with labels the training rows are the queries");
    return from_labels(files, needed, seed, threads, readers);
  }
  require(files.items.labels.empty(), "--labels and --relevance exclude each other; use one");
  require(needed != Supervision::labels,
          "this method learns from labels: give --labels instead of --relevance");
  require(files.shards <= 1, "--shards goes with labels, not with --relevance");
  TrainingData data = from_judgments(files, seed.fork("lists"), threads);
  data.rows = data.set.x.rows();
  return data;
}

}  // namespace structhash::cli
