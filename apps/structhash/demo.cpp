#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "digits.hpp"
#include "session.hpp"
#include "stopwatch.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/data/split.hpp"
#include "structhash/evaluation/evaluate.hpp"
#include "training_data.hpp"

namespace structhash::cli {
namespace {

constexpr Index kQueries = 500;
const std::vector<std::string>& demo_measures() {
  static const std::vector<std::string> kNames{"ndcg@100", "precision@100", "map"};
  return kNames;
}

struct DemoRow {
  std::string method;
  std::string distance;
  std::vector<double> means;  // in the order of demo_measures()
  double train_seconds = 0.0;
};

/// Everything the methods share: the digits, split once.
struct DemoTask {
  TrainingData training;  // also the database
  Dataset queries;
  GroundTruth truth;
};

DemoTask prepare(Seed seed, int threads) {
  const Dataset digits = embedded_digits();
  const Split rows = split(digits.size(), kQueries, /*train=*/0, seed);
  Dataset database = digits.select(rows.database);
  DemoTask task{
      .training = {},
      .queries = digits.select(rows.queries),
      .truth = GroundTruth::from_labels(digits.labels.select(rows.queries), database.labels)};
  task.training.set.x = std::move(database.features);
  task.training.set.labels = std::move(database.labels);
  attach_lists(task.training,
               lists_from_labels(task.training.set.labels, {}, seed.fork("lists"), threads));
  return task;
}

/// One row per distance: a model with bit weights is also compared without them.
void compare(const MethodEntry& method, const DemoTask& task, Index bits, const FitContext& context,
             std::vector<DemoRow>& rows) {
  MethodOptions options;
  options.bits = bits;
  const auto hasher = method.make(options);
  Stopwatch watch;
  const HashModel model = hasher->fit(task.training.set, context);
  const double seconds = watch.lap();
  const CodeMatrix database = encode(model, task.training.set.x, context.threads);
  const CodeMatrix queries = encode(model, task.queries.features, context.threads);
  const auto add_row = [&](const char* distance, std::span<const float> weights) {
    const Evaluation result =
        evaluate(database, queries, weights, task.truth, demo_measures(),
                 {.threads = context.threads, .on_progress = context.on_progress});
    rows.push_back({std::string(method.name), distance, result.means, seconds});
  };
  if (!model.bit_weights.empty()) {
    add_row("weighted", model.bit_weights);
  }
  add_row("hamming", {});
}

nlohmann::ordered_json as_json(const DemoTask& task, Index bits, const std::vector<DemoRow>& rows) {
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const DemoRow& row : rows) {
    nlohmann::ordered_json measures;
    for (std::size_t m = 0; m < row.means.size(); ++m) {
      measures[demo_measures()[m]] = row.means[m];
    }
    results.push_back({{"method", row.method},
                       {"distance", row.distance},
                       {"measures", measures},
                       {"train_seconds", row.train_seconds}});
  }
  return {{"data", "digits"},
          {"queries", task.queries.size()},
          {"database", task.training.set.x.rows()},
          {"bits", bits},
          {"results", results},
          {"version", STRUCTHASH_VERSION}};
}

std::string as_text(const DemoTask& task, Index bits, const std::vector<DemoRow>& rows,
                    bool color) {
  std::vector<std::vector<std::string>> cells{{"method", "distance", demo_measures()[0],
                                               demo_measures()[1], demo_measures()[2], "train s"}};
  for (const DemoRow& row : rows) {
    cells.push_back({row.method, row.distance, fmt::format("{:.4f}", row.means[0]),
                     fmt::format("{:.4f}", row.means[1]), fmt::format("{:.4f}", row.means[2]),
                     fmt::format("{:.2f}", row.train_seconds)});
  }
  return fmt::format(
             "Handwritten digits, {} queries against {} others, codes of {} bits.\n"
             "An item is relevant when it shows the digit of the query; 1 is perfect.\n\n",
             task.queries.size(), task.training.set.x.rows(), bits) +
         table_text(cells, color);
}

struct DemoOptions {
  Index bits = 64;
  std::vector<std::string> methods;  // empty: all of the table
};

/// The entries asked for, in the order of the table.
std::vector<const MethodEntry*> chosen_methods(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    find_method(name);  // a wrong name is said before anything is learned
  }
  std::vector<const MethodEntry*> chosen;
  for (const MethodEntry& method : kMethods) {
    if (names.empty() || std::ranges::find(names, method.name) != names.end()) {
      chosen.push_back(&method);
    }
  }
  return chosen;
}

void run(const DemoOptions& options, const Session& session) {
  const auto methods = chosen_methods(options.methods);
  const Index bits = options.bits;
  const int threads = session.thread_count();
  const DemoTask task = prepare(session.seed(), threads);
  ProgressDisplay display(session.color);
  const FitContext context{
      .seed = session.seed(), .threads = threads, .on_progress = display.callback()};
  std::vector<DemoRow> rows;
  for (const MethodEntry* method : methods) {
    compare(*method, task, bits, context, rows);
  }
  display.clear();
  print_data(session.json ? as_json(task, bits, rows).dump(2) + "\n"
                          : as_text(task, bits, rows, use_color(session.color, 1)));
}

}  // namespace

void add_demo(CLI::App& app, Session& session) {
  Command command(
      app, "demo", "Compare all methods on the digits inside this program",
      "  structhash demo\n  structhash demo --bits 32 --methods structhash,lsh --json\n");
  auto options = std::make_shared<DemoOptions>();
  command.number({"--bits", "N", "Bits per code (default 64)"}, options->bits, 1);
  command.comma_list(
      {"--methods", "NAMES", "Methods to compare, separated by commas (default all)"},
      options->methods);
  add_seed_option(command, session, "the queries and everything random in the methods");
  add_threads_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
