#include "memory_plan.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>

#include "evaluation/trec_run.hpp"
#include "shard_data.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/core/container.hpp"
#include "structhash/data/loaders.hpp"

namespace structhash::cli {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kProcess = 24.0 * kMiB;   // the program and its libraries
constexpr double kPerThread = 4.0 * kMiB;  // work space of the matrix products
constexpr double kFloat = 4.0;
constexpr double kRowStep = 1000.0;  // rows are sampled by the thousand

struct Shape {
  double rows = 0.0;
  double dimension = 0.0;
  double values() const { return rows * dimension; }
};

/// From the heads of the files; text files have none and are counted line by line.
Shape shape_of(const std::vector<std::string>& files, const TableOptions& options) {
  const auto reader = open_features(files, options);
  return {to_double(reader->rows()), to_double(reader->dimension())};
}

/// Features are read in blocks (inputs.cpp).
double block_bytes(const Shape& file) {
  constexpr double kBlockValues = 1 << 24;
  const double rows = std::max(256.0, kBlockValues / std::max(1.0, file.dimension));
  return kFloat * file.dimension * std::min(file.rows, rows);
}

double file_bytes(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0.0 : static_cast<double>(size);
}

/// Of a projection while it is learned: sparse rows in both orders, directions, ranges of the rows.
double projection_bytes(const TrainingFiles& files, const Shape& projected, double dimension) {
  constexpr double kPerByteOfText = 4.0;
  double bytes = 16.0 * dimension * projected.dimension + 40.0 * projected.values();
  for (const std::string& path : files.items.features) {
    bytes += kPerByteOfText * file_bytes(path);
  }
  return bytes;
}

double process_bytes(int threads) {
  return kProcess + kPerThread * threads;
}

double anchors_of(const MethodEntry& method, const MethodOptions& options) {
  const std::string text = option_value(method, options, "anchors");
  double anchors = text.empty() ? 0.0 : method.memory.auto_anchors;
  std::from_chars(text.data(), text.data() + text.size(), anchors);
  return anchors;
}

double method_bytes(const Shape& train, const std::string& name, const ListOptions& lists,
                    const MethodOptions& options, int threads) {
  const MethodEntry& method = find_method(name);
  return method.memory.bytes({.rows = train.rows,
                              .dimension = train.dimension,
                              .anchors = std::min(train.rows, anchors_of(method, options)),
                              .list_items = to_double(lists.relevant + lists.irrelevant),
                              .trials = option_value(method, options, "tune") == "true",
                              .threads = threads});
}

/// Codes of many rows, gathered block by block: a vector that grows holds two copies for a moment,
/// and the division into queries and database a third.
double codes_bytes(double rows, double bits) {
  return 3.0 * rows * 8.0 * std::ceil(bits / 64.0);
}

double bits_of_model(const std::string& model) {
  const FileDescription file = describe_file(model);
  for (const SectionStatus& entry : file.sections) {
    if (entry.section.name == "bit-weights") {
      return static_cast<double>(entry.section.rows);
    }
  }
  return 256.0;
}

/// Ranking: distances, order and grades of all rows, for one query per thread.
double ranking_bytes(double rows, int threads) {
  return 40.0 * rows * threads;
}

}  // namespace

TrainingPlan plan_training(const TrainingFiles& files, const std::string& method,
                           const MethodOptions& options, int threads, int processes, double limit) {
  Shape file = shape_of(files.items.features, files.items.feature_options());
  double sparse = 0.0;
  if (files.components > 0) {
    const double components = to_double(files.components);
    sparse = projection_bytes(files, {.rows = file.rows, .dimension = components}, file.dimension);
    file.dimension = std::min(file.dimension, components);
  }
  double all = file.rows - to_double(files.queries);
  double second = 0.0;  // encoder, of the queries, which alone have lists
  ListOptions lists = files.lists;
  if (files.separate_queries()) {
    const DataFiles query_files = files.completed_query_files();
    const Shape queries = shape_of(query_files.features, query_files.feature_options());
    const bool two = files.components == 0 &&
                     (files.two_encoders || !fits(query_files, static_cast<Index>(file.dimension)));
    all += two ? to_double(files.queries) : queries.rows;
    if (two) {
      second = kFloat * queries.values() + method_bytes(queries, method, lists, options, threads);
      lists.relevant = lists.irrelevant = 0;
    }
  }
  if (files.train_size > 0) {
    all = std::min(all, to_double(files.train_size));
  }
  const auto bytes = [&](double rows) {
    const Index shards = files.shards > 0 ? files.shards : shards_for(static_cast<Index>(rows));
    const Shape train{.rows = std::ceil(rows / to_double(std::min<Index>(processes, shards))),
                      .dimension = file.dimension};
    constexpr double kLabels = 24.0;  // per row of the file: as read, as integers, as chosen
    return process_bytes(threads) + kFloat * train.values() + kLabels * file.rows + sparse +
           second +
           std::max(block_bytes(file), method_bytes(train, method, lists, options, threads));
  };
  double fitting = std::floor(all / kRowStep);
  while (fitting > 0.0 && bytes(kRowStep * fitting) > limit) {
    fitting -= 1.0;
  }
  return {.rows = static_cast<Index>(all),
          .bytes = bytes(all),
          .fitting = static_cast<Index>(kRowStep * fitting)};
}

double memory_of_encoding(const std::string& model, const DataFiles& files, int threads) {
  const Shape file = shape_of(files.features, files.feature_options());
  return process_bytes(threads) + 2.0 * file_bytes(model) + block_bytes(file);
}

double memory_of_evaluation(const std::string& model, const EvaluationFiles& files, Index depth,
                            int threads) {
  Shape items = shape_of(files.database.features, files.database.feature_options());
  double block = block_bytes(items);
  Shape asked{.rows = to_double(files.query_count), .dimension = items.dimension};
  if (!files.queries.features.empty()) {
    const Shape queries = shape_of(files.queries.features, files.database.feature_options());
    block = std::max(block, block_bytes(queries));
    items.rows += queries.rows;
    asked = queries;
  }
  const double features = files.nearest > 0.0 ? kFloat * items.values() : 0.0;
  constexpr double kPerRow = 120.0;  // labels, names of rows and relevance
  const double run_bytes = kBytesPerRunLine * std::min(to_double(depth), items.rows);
  return process_bytes(threads) + 2.0 * file_bytes(model) + features + kPerRow * items.rows +
         (depth > 0 ? 2.0 * std::max(kMaxRunText, run_bytes) : 0.0) +
         codes_bytes(items.rows, bits_of_model(model)) +
         kFloat * asked.rows * (asked.dimension + bits_of_model(model)) +
         std::max(block, ranking_bytes(items.rows, threads));
}

double memory_of_search(const std::string& model, const std::string& codes,
                        const DataFiles& queries, const DataFiles& items, Index k, int threads) {
  constexpr double kQueriesAtOnce = 4096.0;
  constexpr double kCopies = 3.0;      // the file, a form that is fast to scan, tables
  constexpr double kNameCopies = 8.0;  // a string takes 32 bytes and more, its line about 8
  double names = file_bytes(queries.ids) + file_bytes(items.ids);
  for (const std::string& path : items.labels) {
    names += file_bytes(path);
  }
  const Shape file = shape_of(queries.features, queries.feature_options());
  return process_bytes(threads) + 2.0 * file_bytes(model) + kCopies * file_bytes(codes) +
         kNameCopies * names + block_bytes(file) +
         std::min(kQueriesAtOnce, file.rows) * to_double(k) * kBytesPerNeighbour;
}

double memory_of_experiment(const Experiment& experiment, Index jobs, int threads) {
  std::vector<double> needs;
  for (const ExperimentCell& cell : cells(experiment)) {
    const ExperimentDataset& set = *cell.dataset;
    const Protocol& protocol = experiment.protocol;
    Shape items{.rows = 0.0, .dimension = 0.0};
    if (set.generated) {
      items = {to_double(set.generated->rows), to_double(set.generated->dimension)};
    } else if (set.descriptor.empty()) {
      items = shape_of(set.features, {.format = set.format});
    }
    const double wanted = to_double(train_rows(experiment, cell));
    const Shape train{.rows = std::min(items.rows, wanted), .dimension = items.dimension};
    const ListOptions lists{
        .relevant = cell.method->relevant > 0 ? cell.method->relevant : protocol.relevant,
        .irrelevant = cell.method->irrelevant > 0 ? cell.method->irrelevant : protocol.irrelevant};
    // The data set itself is counted once per job, although jobs may share it.
    const double held = kFloat * (2.0 * items.values() + 2.0 * train.values()) + 120.0 * items.rows;
    const double evaluation =
        codes_bytes(items.rows, to_double(cell.bits)) + ranking_bytes(items.rows, threads);
    const double fit =
        method_bytes(train, cell.method->method, lists, cell.method->options, threads);
    needs.push_back(held + std::max(fit, evaluation));
  }
  std::ranges::sort(needs, std::greater{});
  double most = process_bytes(threads);
  for (std::size_t i = 0; i < std::min(needs.size(), static_cast<std::size_t>(jobs)); ++i) {
    most += needs[i];
  }
  return most;
}

}  // namespace structhash::cli
