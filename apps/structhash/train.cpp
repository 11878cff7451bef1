#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interrupt.hpp"
#include "session.hpp"
#include "stopwatch.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/hashing/model_io.hpp"
#include "training_data.hpp"

namespace structhash::cli {
namespace {

struct TrainOptions {
  TrainingFiles files;
  std::string method{kMethods.front().name};
  MethodOptions method_options;
  std::vector<std::string> extra;  // "name=value"
  std::string model;
};

MethodOptions complete_options(const TrainOptions& options) {
  MethodOptions complete = options.method_options;
  for (const std::string& text : options.extra) {
    const auto equals = text.find('=');
    require(equals != std::string::npos && equals > 0,
            "--option takes name=value, for example --option centre=false; found '" + text + "'");
    const bool is_new =
        complete.extra.emplace(text.substr(0, equals), text.substr(equals + 1)).second;
    require(is_new, "--option " + text.substr(0, equals) + " is given twice");
  }
  return complete;
}

/// Queries that could not be learned from are said, never silently dropped.
void note_lists(const BuiltLists& lists) {
  if (lists.without_relevant > 0 || lists.without_irrelevant > 0) {
    print_note(
        fmt::format("of {} queries, {} have no relevant and {} no irrelevant item: they "
                    "give no list to learn from",
                    lists.queries, lists.without_relevant, lists.without_irrelevant));
  }
}

void run(const TrainOptions& options, const Session& session) {
  const MethodEntry& method = find_method(options.method);
  const auto hasher = method.make(complete_options(options));
  const int threads = resolve_threads(session.threads);
  const TrainingData data =
      prepare_training(options.files, method.supervision, Seed{session.seed}, threads);
  stop_if_interrupted();
  note_lists(data.lists);

  ProgressDisplay display(session.color);
  Stopwatch watch;
  const HashModel model = hasher->fit(
      data.set,
      {.seed = Seed{session.seed}, .threads = threads, .on_progress = display.callback()});
  const double seconds = watch.lap();
  stop_if_interrupted();
  save_model(model, options.model);
  display.clear();
  if (session.json) {
    const nlohmann::ordered_json json{
        {"model", options.model},
        {"method", model.method},
        {"parameters", nlohmann::ordered_json::parse(model.parameters)},
        {"bits", model.bits()},
        {"dimension", model.dimension()},
        {"bit_weights", !model.bit_weights.empty()},
        {"rows", data.set.x.rows()},
        {"lists", data.set.lists.size()},
        {"queries_without_relevant", data.lists.without_relevant},
        {"queries_without_irrelevant", data.lists.without_irrelevant},
        {"seed", session.seed},
        {"train_seconds", seconds},
        {"version", STRUCTHASH_VERSION}};
    print_data(json.dump(2) + "\n");
  } else {
    print_data(fmt::format("{}: {} bits from {} rows of {} features in {:.1f} s, written to {}\n",
                           model.method, model.bits(), data.set.x.rows(), model.dimension(),
                           seconds, options.model));
  }
}

void add_options(CLI::App& command, TrainOptions& options) {
  add_training_options(command, options.files);
  command.add_option("--model", options.model, "Model file to write")
      ->required()
      ->option_text("FILE");
  command
      .add_option("--method", options.method,
                  fmt::format("Method, see structhash methods (default {})", options.method))
      ->option_text("NAME");
  command.add_option("--bits", options.method_options.bits, "Bits per code (default 64)")
      ->check(CLI::PositiveNumber)
      ->option_text("N");
  command
      .add_option(
          "--measure", options.method_options.measure,
          "Ranking measure to learn for, see structhash measures; for methods that take one")
      ->option_text("NAME");
  command
      .add_option("--functions", options.method_options.functions,
                  "Kind of hash functions; for methods that have a choice")
      ->option_text("NAME");
  command.add_option("--option", options.extra, "Further option of the method; may be repeated")
      ->expected(1)
      ->take_all()
      ->option_text("NAME=VALUE");
}

}  // namespace

void add_train(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("train", "Learn a model from features and supervision");
  command->footer(
      "  structhash train --features x.npy --labels y.npy --bits 64 --model model.shm\n"
      "  structhash train --method lsh --features part1.fvecs part2.fvecs --model lsh.shm\n"
      "  structhash train --features x.npy --labels y.npy --queries 2000 --train-size 2000 \\\n"
      "             --seed 1 --model model.shm     # then: structhash evaluate --queries 2000 "
      "--seed 1\n"
      "  structhash train --features docs.npy --query-features queries.npy --relevance qrels.trec "
      "\\\n"
      "             --model model.shm\n");
  auto options = std::make_shared<TrainOptions>();
  add_options(*command, *options);
  add_seed_option(*command, session, "the rows and everything random in the method");
  add_threads_option(*command, session);
  add_json_option(*command, session);
  add_color_option(*command, session);
  command->callback([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
