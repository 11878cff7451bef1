#include "structhash/evaluation/experiment.hpp"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "structhash/baselines/methods.hpp"
#include "structhash/baselines/own_distance.hpp"
#include "structhash/core/error.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/data/split.hpp"
#include "structhash/evaluation/evaluate.hpp"
#include "structhash/relevance/builders.hpp"

namespace structhash {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Weighted Hamming distance if the model has weights, plain, and the method's own if it has one.
std::vector<std::pair<std::string, Evaluation>> by_every_distance(
    const HashModel& model, const CodeMatrix& database, const CodeMatrix& queries,
    const GroundTruth& truth, const std::vector<std::string>& measures,
    const EvaluationOptions& options) {
  std::vector<std::pair<std::string, Evaluation>> results;
  if (!model.bit_weights.empty()) {
    results.emplace_back("weighted",
                         evaluate(database, queries, model.bit_weights, truth, measures, options));
  }
  results.emplace_back("hamming", evaluate(database, queries, {}, truth, measures, options));
  if (const auto own = own_distance(model)) {
    results.emplace_back(
        own->name, evaluate_rankings(own->between(queries, database), truth, measures, options));
  }
  return results;
}

}  // namespace

std::vector<ExperimentCell> cells(const Experiment& experiment) {
  std::vector<ExperimentCell> all;
  for (const ExperimentDataset& dataset : experiment.datasets) {
    for (const ExperimentMethod& method : experiment.methods) {
      if (!method.datasets.empty() &&
          std::ranges::find(method.datasets, dataset.name) == method.datasets.end()) {
        continue;
      }
      for (const Index bits : experiment.bits) {
        for (const std::uint64_t seed : experiment.seeds) {
          all.push_back({&dataset, &method, bits, seed});
        }
      }
    }
  }
  return all;
}

std::string config_hash(const Experiment& experiment, const ExperimentCell& cell) {
  const Protocol& protocol = experiment.protocol;
  const nlohmann::ordered_json config{{"dataset", cell.dataset->name},
                                      {"features", cell.dataset->features},
                                      {"labels", cell.dataset->labels},
                                      {"format", cell.dataset->format},
                                      {"queries", protocol.queries},
                                      {"train", protocol.train},
                                      {"relevant", protocol.relevant},
                                      {"irrelevant", protocol.irrelevant},
                                      {"method", cell.method->method},
                                      {"params", cell.method->params},
                                      {"bits", cell.bits},
                                      {"seed", cell.seed},
                                      {"measures", experiment.measures},
                                      {"version", STRUCTHASH_VERSION}};
  const std::string text = config.dump();
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

ExperimentRunner::ExperimentRunner(const Experiment& experiment, int threads,
                                   ProgressCallback on_progress)
    : experiment_(experiment), threads_(threads), on_progress_(std::move(on_progress)) {}

std::vector<ResultRow> ExperimentRunner::run(const ExperimentCell& cell) {
  if (loaded_ != cell.dataset) {
    data_ = load_dataset(cell.dataset->features, cell.dataset->labels, cell.dataset->name,
                         cell.dataset->format);
    loaded_ = cell.dataset;
  }
  const Protocol& protocol = experiment_.protocol;
  const Seed seed{cell.seed};
  const Index train_rows = cell.method->train > 0 ? cell.method->train : protocol.train;
  const Split parts = split(data_.size(), protocol.queries, train_rows, seed);
  const MethodEntry& entry = find_method(cell.method->method);
  MethodOptions options = cell.method->options;
  options.bits = cell.bits;
  const auto hasher = entry.make(options);

  const auto train_start = std::chrono::steady_clock::now();
  const Dataset train = data_.select(parts.train);
  TrainingSet training{.x = train.features, .labels = train.labels, .lists = {}};
  if (entry.supervision == Supervision::lists) {
    const ListOptions lists{.relevant = protocol.relevant, .irrelevant = protocol.irrelevant};
    training.lists = lists_from_labels(training.labels, lists, seed.fork("lists"), threads_).lists;
  }
  const HashModel model =
      hasher->fit(training, {.seed = seed, .threads = threads_, .on_progress = on_progress_});
  const double train_seconds = seconds_since(train_start);

  const auto encode_start = std::chrono::steady_clock::now();
  const Dataset queries = data_.select(parts.queries);
  const CodeMatrix query_codes = encode(model, queries.features, threads_);
  const Dataset database = data_.select(parts.database);
  const CodeMatrix database_codes = encode(model, database.features, threads_);
  const double encode_seconds = seconds_since(encode_start);

  const GroundTruth truth = GroundTruth::from_labels(queries.labels, database.labels);
  std::vector<ResultRow> rows;
  for (const auto& [distance, evaluation] :
       by_every_distance(model, database_codes, query_codes, truth, experiment_.measures,
                         {.threads = threads_})) {
    ResultRow row{.dataset = cell.dataset->name,
                  .method = cell.method->method,
                  .params = cell.method->params,
                  .bits = cell.bits,
                  .seed = cell.seed,
                  .distance = distance,
                  .measures = {},
                  .train_seconds = train_seconds,
                  .encode_seconds = encode_seconds,
                  .version = STRUCTHASH_VERSION,
                  .config_hash = config_hash(experiment_, cell)};
    for (std::size_t i = 0; i < evaluation.measures.size(); ++i) {
      row.measures.emplace_back(evaluation.measures[i], evaluation.means[i]);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace structhash
