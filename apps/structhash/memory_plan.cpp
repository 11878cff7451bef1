#include "memory_plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>

#include "learner/structhash.hpp"
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

struct Shape {
  double rows = 0.0;
  double dimension = 0.0;
  double values() const { return rows * dimension; }
};

/// From the heads of the files; text files have none and are counted line by line.
Shape shape_of(const std::vector<std::string>& files, const std::string& format) {
  const auto reader = open_features(files, format);
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

double process_bytes(int threads) {
  return kProcess + kPerThread * threads;
}

/// What a method holds beside its training set of n rows, d features and at most a anchors:
///
///   value n d  +  row n  +  anchor n min(a, n)  +  square d^2  +  pair n^2
///
/// in bytes, fitted to peaks measured at several n and d and rounded up.
struct WorkingSet {
  std::string_view method;
  double value;
  double row;
  double anchor;
  double square;
  double pair;
  double anchors;  // where no option says how many
};

constexpr std::array kWorkingSets{
    WorkingSet{"lsh", 8, 600, 0, 16, 0, 0},         WorkingSet{"sph", 8, 1200, 0, 40, 0, 0},
    WorkingSet{"mdsh", 8, 1200, 0, 40, 0, 0},       WorkingSet{"agh", 4, 4000, 8, 16, 0, 300},
    WorkingSet{"agh1", 4, 4000, 8, 16, 0, 300},     WorkingSet{"spher", 8, 2000, 0, 16, 0, 0},
    WorkingSet{"itq", 8, 1500, 0, 40, 0, 0},        WorkingSet{"klsh", 8, 1500, 8, 16, 0, 300},
    WorkingSet{"cca-itq", 12, 1500, 0, 60, 0, 0},   WorkingSet{"bres", 12, 1000, 0, 16, 0, 0},
    WorkingSet{"sths", 12, 4000, 0, 16, 6, 0},      WorkingSet{"splh", 12, 3000, 0, 300, 0, 0},
    WorkingSet{"cgh", 12, 12000, 0, 40, 0, 0},      WorkingSet{"ksh", 8, 4000, 16, 16, 0, 300},
    WorkingSet{"fasthash", 12, 12000, 0, 16, 0, 0}, WorkingSet{"cosdish", 12, 30000, 0, 40, 0, 0},
    WorkingSet{"mihash", 12, 33000, 0, 40, 0, 0},   WorkingSet{"sdh", 8, 4000, 24, 16, 0, 1000},
    WorkingSet{"hcsdh", 8, 4000, 24, 16, 0, 1000},
};

double option_or(const MethodOptions& options, const std::string& name, double missing) {
  const auto found = options.extra.find(name);
  double value = missing;
  if (found != options.extra.end()) {
    const std::string& text = found->second;
    std::from_chars(text.data(), text.data() + text.size(), value);
  }
  return value;
}

/// StructHash, for L lists of I items in all: the lists themselves and the same without the
/// held-out queries; then one code after the other, and candidates side by side, one per thread:
///
///   8 L I + table  +  n d  +  threads * (features of the family + L I * (form + planes))
double structhash_bytes(const Shape& train, double items, const MethodOptions& options,
                        int threads) {
  constexpr double kPerItem = 20.0;          // lists and tables
  constexpr double kPerItemAndCode = 100.0;  // the pair form, and planes of one byte per pair
  constexpr double kSideBySide = 3.0;        // candidates at most
  const double pairs = train.rows * items;
  const double codes = std::min<double>(threads, kSideBySide);
  const bool kernel = options.functions == "kernel";
  const double most_anchors = option_or(options, "anchors", to_double(StructHashParams{}.anchors));
  const double anchors = std::min(train.rows, most_anchors);
  const double features = kernel ? anchors : train.dimension;
  const double family = 12.0 * train.rows * features + 32.0 * features * features;
  return kPerItem * pairs + kFloat * train.values() + codes * family +
         codes * kPerItemAndCode * pairs;
}

double method_bytes(const Shape& train, const std::string& method, const ListOptions& lists,
                    const MethodOptions& options, int threads) {
  if (find_method(method).make == &make_structhash) {
    return structhash_bytes(train, to_double(lists.relevant + lists.irrelevant), options, threads);
  }
  const auto* found = std::ranges::find(kWorkingSets, method, &WorkingSet::method);
  const WorkingSet need = found == kWorkingSets.end() ? kWorkingSets.front() : *found;
  const bool kernel = options.functions == "kernel";
  const double anchors = std::min(
      train.rows, option_or(options, "anchors", std::max(need.anchors, kernel ? 1000.0 : 0.0)));
  return train.values() * need.value + train.rows * need.row +
         train.rows * anchors * (kernel ? std::max(need.anchor, 8.0) : need.anchor) +
         train.dimension * train.dimension * need.square + train.rows * train.rows * need.pair;
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

double memory_of_training(const TrainingFiles& files, const std::string& method,
                          const MethodOptions& options, int threads, int processes) {
  const Shape file = shape_of(files.items.features, files.items.format);
  Shape train = file;
  if (!files.query_features.empty()) {
    train.rows += shape_of(files.query_features, files.items.format).rows;
  }
  if (files.train_size > 0) {
    train.rows = std::min(train.rows, to_double(files.train_size));
  }
  const Index shards = files.shards > 0 ? files.shards : shards_for(static_cast<Index>(train.rows));
  train.rows = std::ceil(train.rows / to_double(std::min<Index>(processes, shards)));
  constexpr double kLabels = 24.0;  // per row of the file: as read, as integers, as chosen
  const double held = kFloat * train.values() + kLabels * file.rows;
  return process_bytes(threads) + held +
         std::max(block_bytes(file), method_bytes(train, method, files.lists, options, threads));
}

double memory_of_encoding(const std::string& model, const DataFiles& files, int threads) {
  const Shape file = shape_of(files.features, files.format);
  return process_bytes(threads) + 2.0 * file_bytes(model) + block_bytes(file);
}

double memory_of_evaluation(const std::string& model, const EvaluationFiles& files, int threads) {
  Shape items = shape_of(files.database.features, files.database.format);
  double block = block_bytes(items);
  if (!files.queries.features.empty()) {
    const Shape queries = shape_of(files.queries.features, files.database.format);
    block = std::max(block, block_bytes(queries));
    items.rows += queries.rows;
  }
  constexpr double kPerRow = 120.0;  // labels, names of rows and relevance
  return process_bytes(threads) + 2.0 * file_bytes(model) + kPerRow * items.rows +
         codes_bytes(items.rows, bits_of_model(model)) +
         std::max(block, ranking_bytes(items.rows, threads));
}

double memory_of_search(const std::string& model, const std::string& codes,
                        const DataFiles& queries, Index k, int threads) {
  constexpr double kQueriesAtOnce = 4096.0;
  constexpr double kPerNeighbour = 48.0;  // as found, as written
  constexpr double kCopies = 3.0;         // the file, a form that is fast to scan, tables
  const Shape file = shape_of(queries.features, queries.format);
  return process_bytes(threads) + 2.0 * file_bytes(model) + kCopies * file_bytes(codes) +
         block_bytes(file) + std::min(kQueriesAtOnce, file.rows) * to_double(k) * kPerNeighbour;
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
      items = shape_of(set.features, set.format);
    }
    const double wanted = to_double(cell.method->train > 0 ? cell.method->train : protocol.train);
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
