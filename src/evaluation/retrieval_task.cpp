#include "evaluation/retrieval_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>

#include "baselines/own_distance.hpp"
#include "hashing/adaptive.hpp"
#include "search/scan/flat_scan.hpp"
#include "structhash/core/version.hpp"
#include "structhash/evaluation/curves.hpp"
#include "structhash/evaluation/evaluate.hpp"

namespace structhash {
namespace {

/// Seconds since construction, or since the last call.
class Lap {
 public:
  double seconds() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(start_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string label_of(const Labels& labels, Index row) {
  return labels.classes.empty() ? "" : labels.class_text(row);
}

/// The codes of a task.
struct Codes {
  CodeMatrix database;
  CodeMatrix queries;
};

/// Plain Hamming distance, weighted with weights, adaptive with the values of the queries.
struct CodeDistance {
  std::string name;
  std::span<const float> weights{};
  Matrix<float> values{};

  BitWeights costs() const {
    return values.size() > 0 ? BitWeights::of_queries(values) : BitWeights(weights);
  }
};

/// Whether rows can be shown to people, and some are to be.
bool has_strips(const RetrievalTask& task) {
  return !task.shown.empty() &&
         ((task.query_picture && task.database_picture) || (task.query_text && task.database_text));
}

std::string shown_row(const RowText& of, Index row) {
  return of ? of(row) : "";
}

/// `found` has the nearest items of every shown query.
std::vector<Strip> make_strips(const RetrievalTask& task, const Neighbours& found) {
  std::vector<std::uint8_t> grades(static_cast<std::size_t>(task.database.size()));
  std::vector<Strip> strips;
  for (std::size_t q = 0; q < task.shown.size(); ++q) {
    const Index query = task.shown[q];
    task.truth.grades(query, grades);
    Strip strip{.query_image = shown_row(task.query_picture, query),
                .query_label = label_of(task.queries.labels, query),
                .query_text = shown_row(task.query_text, query)};
    for (const Neighbour& item : found[q]) {
      strip.items.push_back({.image = shown_row(task.database_picture, item.row),
                             .relevant = grades[static_cast<std::size_t>(item.row)] > 0,
                             .label = label_of(task.database.labels, item.row),
                             .text = shown_row(task.database_text, item.row)});
    }
    strips.push_back(std::move(strip));
  }
  return strips;
}

std::vector<Strip> strips_of(const RetrievalTask& task, const Codes& codes,
                             const CodeDistance& distance, int threads) {
  if (!has_strips(task)) {
    return {};
  }
  const SearchOptions how{.threads = threads};
  if (distance.values.size() > 0) {
    const Matrix<float> shown = distance.values(task.shown, Eigen::all);
    return make_strips(
        task, search::nearest_asymmetric(codes.database, shown, {}, task.shown_items, how));
  }
  const auto engine = distance.weights.empty()
                          ? search::make_flat_scan(codes.database)
                          : search::make_flat_scan(codes.database, distance.weights);
  return make_strips(task,
                     engine->nearest(select(codes.queries, task.shown), task.shown_items, how));
}

/// By any distances; equal ones in the order of the rows.
std::vector<Strip> strips_of(const RetrievalTask& task, const DistanceSource& distances) {
  if (!has_strips(task)) {
    return {};
  }
  std::vector<double> row(static_cast<std::size_t>(task.database.size()));
  std::vector<std::pair<double, Index>> order(row.size());
  const Index kept = std::min(task.shown_items, task.database.size());
  Neighbours found;
  for (const Index query : task.shown) {
    distances(query, row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      order[i] = {row[i], static_cast<Index>(i)};
    }
    std::ranges::partial_sort(order, order.begin() + kept);
    found.emplace_back();
    for (Index i = 0; i < kept; ++i) {
      const auto& [distance, item] = order[static_cast<std::size_t>(i)];
      found.back().push_back({.distance = static_cast<float>(distance), .row = item});
    }
  }
  return make_strips(task, found);
}

/// The objective after each bit, from the training log of a model that has one.
std::vector<double> objective_of(const HashModel& model) {
  const auto parameters = nlohmann::json::parse(model.parameters);
  const auto log = parameters.find("log");
  return log != parameters.end() && log->contains("objective")
             ? log->at("objective").get<std::vector<double>>()
             : std::vector<double>{};
}

/// A row with the values of every query.
DetailedRow row_of(const ResultRow& known, const Evaluation& evaluation) {
  DetailedRow entry{.row = known, .details = RowDetails{}};
  for (std::size_t m = 0; m < evaluation.measures.size(); ++m) {
    const auto column = evaluation.per_query.col(static_cast<Index>(m)).cast<float>();
    entry.details->per_query[evaluation.measures[m]] = {column.begin(), column.end()};
    entry.row.measures.emplace_back(evaluation.measures[m], evaluation.means[m]);
  }
  return entry;
}

/// Curves, strips and training of a model.
void add_curves(RowDetails& details, const RetrievalTask& task, const Codes& codes,
                const HashModel& model, const CodeDistance& distance, int threads) {
  const Curves curves = evaluate_curves(codes.database, codes.queries, distance.costs(), task.truth,
                                        {}, {.threads = threads});
  details.recall = curves.recall_levels;
  details.precision = curves.precision_at_recall;
  details.ranks = {curves.ranks.begin(), curves.ranks.end()};
  details.precision_at_rank = curves.precision_at_rank;
  details.objective = objective_of(model);
  details.bit_weights = {distance.weights.begin(), distance.weights.end()};
  details.strips = strips_of(task, codes, distance, threads);
}

}  // namespace

std::vector<Index> queries_to_show(const Labels& labels, Index queries, Index count) {
  std::vector<Index> chosen;
  std::set<int> seen;
  for (Index q = 0; q < queries && std::ssize(chosen) < count; ++q) {
    if (labels.classes.empty() || seen.insert(labels.classes[static_cast<std::size_t>(q)]).second) {
      chosen.push_back(q);
    }
  }
  return chosen;
}

std::vector<DetailedRow> evaluate_model(const RetrievalTask& task, const HashModel& model,
                                        const ResultRow& known,
                                        std::span<const std::string> measures,
                                        const FitContext& context) {
  Lap lap;
  const Codes codes{.database = encode(model, task.database.features, context.threads),
                    .queries = encode(model, task.queries.features, context.threads)};
  ResultRow common = known;
  common.dataset = task.name;
  common.method = model.method;
  common.bits = codes.database.bits();
  common.encode_seconds = lap.seconds();
  common.version = std::string(code_version());

  std::vector<DetailedRow> rows;
  const auto add_row = [&](const std::string& distance, const Evaluation& evaluation) {
    rows.push_back(row_of(common, evaluation));
    rows.back().row.distance = distance;
  };
  const int threads = context.threads.count();
  const EvaluationOptions options{.threads = threads, .on_progress = context.on_progress};
  const auto add_hamming = [&](const CodeDistance& distance) {
    add_row(distance.name, evaluate(codes.database, codes.queries, distance.costs(), task.truth,
                                    measures, options));
    add_curves(*rows.back().details, task, codes, model, distance, threads);
  };
  if (!model.bit_weights.empty()) {
    add_hamming({.name = "weighted", .weights = model.bit_weights});
  }
  add_hamming({.name = "hamming"});
  if (!model.mean_magnitudes.empty()) {
    add_hamming({.name = "adaptive",
                 .values = adaptive_values(model, task.queries.features, context.threads)});
  }
  if (const auto own = own_distance(model)) {
    add_row(own->name, evaluate_rankings(own->between(codes.queries, codes.database), task.truth,
                                         measures, options));
  }
  return rows;
}

DetailedRow evaluate_ranking(const RetrievalTask& task, const DistanceSource& distances,
                             const ResultRow& known, std::span<const std::string> measures,
                             const FitContext& context) {
  const EvaluationOptions options{.threads = context.threads, .on_progress = context.on_progress};
  DetailedRow entry = row_of(known, evaluate_rankings(distances, task.truth, measures, options));
  entry.row.dataset = task.name;
  entry.row.version = std::string(code_version());
  entry.details->strips = strips_of(task, distances);
  return entry;
}

std::vector<DetailedRow> run_method(const RetrievalTask& task, const MethodRun& run,
                                    std::span<const std::string> measures,
                                    const FitContext& context) {
  const auto hasher = run.method->make(run.options);
  Lap lap;
  HashModel model = hasher->fit(task.training, context);
  ResultRow known;
  known.params = run.params;
  known.database = run.database;
  known.seed = context.seed.value;
  known.train_seconds = lap.seconds();
  known.config_hash = run.config_hash;
  if (model.mean_magnitudes.empty()) {  // every method is compared by the same distances
    model.mean_magnitudes = mean_magnitudes(model.encoder, task.training.x,
                                            Shards(task.training.x.rows()), context.threads);
  }
  return evaluate_model(task, model, known, measures, context);
}

}  // namespace structhash
