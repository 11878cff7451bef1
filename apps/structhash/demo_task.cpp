#include "demo_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "digits.hpp"
#include "evaluation/png_data_uri.hpp"
#include "structhash/data/split.hpp"
#include "structhash/relevance/builders.hpp"

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
  pixels.reserve(static_cast<std::size_t>(kSide * kSide));
  for (Index p = 0; p < kSide * kSide; ++p) {
    pixels.push_back(static_cast<std::uint8_t>(digits.features(row, p) / kBrightest * 255.0F));
  }
  return png_data_uri(pixels, kSide, kSide, 1);
}

std::string label_of(const Labels& labels, Index row) {
  return fmt::to_string(labels.classes[static_cast<std::size_t>(row)]);
}

/// The first queries, and those for which half of the nearest items by plain distance are right:
/// neither easy nor too hard, they show how methods differ.
std::vector<Index> queries_to_show(const Dataset& queries, const TrainingSet& database) {
  std::vector<std::pair<Index, Index>>
      from_half;  // distance of the number of right items from half, query
  for (Index q = 0; q < queries.size(); ++q) {
    std::vector<std::pair<float, Index>> items;
    items.reserve(static_cast<std::size_t>(database.x.rows()));
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
  shown.reserve(static_cast<std::size_t>(kStrips));
  for (Index i = 0; i < kStrips; ++i) {
    shown.push_back(i % 2 == 0 ? from_half[static_cast<std::size_t>(i / 2)].second : i / 2);
  }
  return shown;
}

}  // namespace

RetrievalTask prepare_demo(Seed seed, int threads) {
  const auto digits = std::make_shared<const Dataset>(embedded_digits());
  const Split rows = split(digits->size(), kQueries, /*train=*/0, seed);
  RetrievalTask task;
  task.name = "digits";
  task.queries = digits->select(rows.queries);
  task.database = digits->select(rows.database);
  task.training = {.x = task.database.features, .labels = task.database.labels, .lists = {}};
  task.training.lists =
      lists_from_labels(task.training.labels, {}, seed.fork("lists"), threads).lists;
  task.truth = GroundTruth::from_labels(task.queries.labels, task.database.labels);
  const auto picture = [digits](const std::vector<Index>& of) -> Picture {
    return
        [digits, of](Index row) { return picture_of(*digits, of[static_cast<std::size_t>(row)]); };
  };
  task.query_picture = picture(rows.queries);
  task.database_picture = picture(rows.database);
  task.shown = queries_to_show(task.queries, task.training);
  return task;
}

std::vector<MethodVariant> method_variants(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    find_method(name);  // report a wrong name before training
  }
  std::vector<MethodVariant> chosen;
  for (const MethodEntry& method : methods()) {
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

std::vector<DetailedRow> run_variant(const MethodVariant& variant, const RetrievalTask& task,
                                     Index bits, const FitContext& context) {
  MethodRun run{.method = variant.method, .options = {.bits = bits}, .config_hash = {}};
  if (!variant.functions.empty()) {
    run.options.functions = variant.functions;
    run.params = nlohmann::json{{"functions", variant.functions}}.dump();
  }
  return run_method(task, run, demo_measures(), context);
}

}  // namespace structhash::cli
