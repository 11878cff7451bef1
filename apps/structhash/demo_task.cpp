#include "demo_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "digits.hpp"
#include "stopwatch.hpp"
#include "structhash/data/split.hpp"
#include "structhash/evaluation/curves.hpp"
#include "structhash/evaluation/png_data_uri.hpp"
#include "structhash/search/flat_scan.hpp"

namespace structhash::cli {
namespace {

constexpr Index kQueries = 500;
constexpr Index kStrips = 6;
constexpr Index kStripItems = 12;
constexpr Index kSide = 8;  // pixels
constexpr float kBrightest = 16.0F;

const std::vector<std::string>& demo_measures() {
  static const std::vector<std::string> kNames{"ndcg@100", "precision@100", "map"};
  return kNames;
}

std::string picture_of(const Dataset& digits, Index row) {
  std::vector<std::uint8_t> pixels;
  for (Index p = 0; p < kSide * kSide; ++p) {
    pixels.push_back(static_cast<std::uint8_t>(digits.features(row, p) / kBrightest * 255.0F));
  }
  return png_data_uri(pixels, kSide, kSide, 1);
}

std::string label_of(const Labels& labels, Index row) {
  return fmt::to_string(labels.classes[static_cast<std::size_t>(row)]);
}

/// The first queries, and those of which plain distance finds one half: they are neither easy nor
/// hopeless, and show how methods differ.
std::vector<Index> queries_to_show(const Dataset& queries, const TrainingSet& database) {
  std::vector<std::pair<Index, Index>> from_half;  // how far the right ones are from half, query
  for (Index q = 0; q < queries.size(); ++q) {
    std::vector<std::pair<float, Index>> items;
    for (Index i = 0; i < database.x.rows(); ++i) {
      items.emplace_back((database.x.row(i) - queries.features.row(q)).squaredNorm(), i);
    }
    std::ranges::nth_element(items, items.begin() + kStripItems);
    const auto right = std::count_if(items.begin(), items.begin() + kStripItems, [&](auto& item) {
      return label_of(database.labels, item.second) == label_of(queries.labels, q);
    });
    from_half.emplace_back(std::abs(2 * right - kStripItems), q);
  }
  std::ranges::sort(from_half);
  std::vector<Index> shown;
  for (Index i = 0; i < kStrips; ++i) {
    shown.push_back(i % 2 == 0 ? from_half[static_cast<std::size_t>(i / 2)].second : i / 2);
  }
  return shown;
}

/// Codes of one model, ready to be compared by any of its distances.
struct Codes {
  CodeMatrix database;
  CodeMatrix queries;
};

std::vector<Strip> strips_of(const DemoTask& task, const Codes& codes,
                             std::span<const float> weights, int threads) {
  const std::vector<Index>& queries = task.shown;
  const CodeMatrix asked = select(codes.queries, queries);
  const auto engine =
      weights.empty() ? make_flat_scan(codes.database) : make_flat_scan(codes.database, weights);
  const Neighbours found = engine->nearest(asked, kStripItems, {.threads = threads});
  const Dataset database{
      .name = "digits", .features = task.training.set.x, .labels = task.training.set.labels};
  std::vector<Strip> strips;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    Strip strip{.query_image = picture_of(task.queries, queries[q]),
                .query_label = label_of(task.queries.labels, queries[q])};
    for (const Neighbour& item : found[q]) {
      const std::string label = label_of(database.labels, item.row);
      strip.items.push_back({.image = picture_of(database, item.row),
                             .relevant = label == strip.query_label,
                             .label = label});
    }
    strips.push_back(std::move(strip));
  }
  return strips;
}

/// The objective after each bit, from the training log of a model that has one.
std::vector<double> objective_of(const HashModel& model) {
  const auto parameters = nlohmann::json::parse(model.parameters);
  const auto log = parameters.find("log");
  return log != parameters.end() && log->contains("objective")
             ? log->at("objective").get<std::vector<double>>()
             : std::vector<double>{};
}

RowDetails details_of(const DemoTask& task, const Codes& codes, const HashModel& model,
                      std::span<const float> weights, const Evaluation& evaluation, int threads) {
  const Curves curves =
      evaluate_curves(codes.database, codes.queries, weights, task.truth, {}, {.threads = threads});
  RowDetails details{.recall = curves.recall_levels,
                     .precision = curves.precision_at_recall,
                     .ranks = {curves.ranks.begin(), curves.ranks.end()},
                     .precision_at_rank = curves.precision_at_rank,
                     .objective = objective_of(model),
                     .bit_weights = {weights.begin(), weights.end()},
                     .strips = strips_of(task, codes, weights, threads)};
  for (std::size_t m = 0; m < evaluation.measures.size(); ++m) {
    const auto column = evaluation.per_query.col(static_cast<Index>(m)).cast<float>();
    details.per_query[evaluation.measures[m]] = {column.begin(), column.end()};
  }
  return details;
}

}  // namespace

DemoTask prepare_demo(Seed seed, int threads) {
  const Dataset digits = embedded_digits();
  const Split rows = split(digits.size(), kQueries, /*train=*/0, seed);
  Dataset database = digits.select(rows.database);
  DemoTask task{
      .training = {},
      .queries = digits.select(rows.queries),
      .truth = GroundTruth::from_labels(digits.labels.select(rows.queries), database.labels),
      .shown = {}};
  task.training.set.x = std::move(database.features);
  task.training.set.labels = std::move(database.labels);
  attach_lists(task.training,
               lists_from_labels(task.training.set.labels, {}, seed.fork("lists"), threads));
  task.shown = queries_to_show(task.queries, task.training.set);
  return task;
}

std::vector<Contestant> contestants(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    find_method(name);  // a wrong name is said before anything is learned
  }
  std::vector<Contestant> chosen;
  for (const MethodEntry& method : kMethods) {
    if (!names.empty() && std::ranges::find(names, method.name) == names.end()) {
      continue;
    }
    if (method.name == "structhash") {
      chosen.push_back({&method, "kernel"});
      chosen.push_back({&method, "linear"});
    } else {
      chosen.push_back({.method = &method});
    }
  }
  return chosen;
}

std::vector<DetailedRow> run_contestant(const Contestant& contestant, const DemoTask& task,
                                        Index bits, const FitContext& context) {
  MethodOptions options;
  options.bits = bits;
  options.functions = contestant.functions;
  nlohmann::json params = nlohmann::json::object();
  if (!contestant.functions.empty()) {
    params["functions"] = contestant.functions;
  }
  const auto hasher = contestant.method->make(options);
  Stopwatch watch;
  const HashModel model = hasher->fit(task.training.set, context);
  const double train_seconds = watch.lap();
  const Codes codes{.database = encode(model, task.training.set.x, context.threads),
                    .queries = encode(model, task.queries.features, context.threads)};
  const double encode_seconds = watch.lap();
  std::vector<DetailedRow> rows;
  const auto add_row = [&](const char* distance, std::span<const float> weights) {
    const Evaluation evaluation =
        evaluate(codes.database, codes.queries, weights, task.truth, demo_measures(),
                 {.threads = context.threads, .on_progress = context.on_progress});
    DetailedRow entry{
        .row = {.dataset = "digits",
                .method = std::string(contestant.method->name),
                .params = params.dump(),
                .bits = bits,
                .seed = context.seed.value,
                .distance = distance,
                .measures = {},
                .train_seconds = train_seconds,
                .encode_seconds = encode_seconds,
                .version = STRUCTHASH_VERSION,
                .config_hash = {}},
        .details = details_of(task, codes, model, weights, evaluation, context.threads)};
    for (std::size_t m = 0; m < evaluation.measures.size(); ++m) {
      entry.row.measures.emplace_back(evaluation.measures[m], evaluation.means[m]);
    }
    rows.push_back(std::move(entry));
  };
  if (!model.bit_weights.empty()) {
    add_row("weighted", model.bit_weights);
  }
  add_row("hamming", {});
  return rows;
}

}  // namespace structhash::cli
