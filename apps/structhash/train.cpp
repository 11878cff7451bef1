#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interrupt.hpp"
#include "session.hpp"
#include "stopwatch.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/core/error.hpp"
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
  const int threads = session.thread_count();
  const TrainingData data =
      prepare_training(options.files, method.supervision, session.seed(), threads);
  stop_if_interrupted();
  note_lists(data.lists);

  ProgressDisplay display(session.color);
  Stopwatch watch;
  const HashModel model = hasher->fit(
      data.set, {.seed = session.seed(), .threads = threads, .on_progress = display.callback()});
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
        {"seed", session.seed_value},
        {"train_seconds", seconds},
        {"version", STRUCTHASH_VERSION}};
    print_data(json.dump(2) + "\n");
  } else {
    print_data(fmt::format("{}: {} bits from {} rows of {} features in {:.1f} s, written to {}\n",
                           model.method, model.bits(), data.set.x.rows(), model.dimension(),
                           seconds, options.model));
  }
}

void add_options(Command& command, TrainOptions& options) {
  add_training_options(command, options.files);
  command.text({"--model", "FILE", "Model file to write"}, options.model, Need::required);
  command.text({"--method", "NAME",
                fmt::format("Method, see structhash methods (default {})", options.method)},
               options.method);
  command.number({"--bits", "N", "Bits per code (default 64)"}, options.method_options.bits, 1);
  command.text({"--measure", "NAME",
                "Ranking measure to learn for, see structhash measures; for methods that take one"},
               options.method_options.measure);
  command.text({"--functions", "NAME", "Kind of hash functions; for methods that have a choice"},
               options.method_options.functions);
  command.repeated({"--option", "NAME=VALUE", "Further option of the method; may be repeated"},
                   options.extra);
}

}  // namespace

void add_train(CLI::App& app, Session& session) {
  Command command(
      app, "train", "Learn a model from features and supervision",
      "  structhash train --features x.npy --labels y.npy --bits 64 --model model.shm\n"
      "  structhash train --method lsh --features part1.fvecs part2.fvecs --model lsh.shm\n"
      "  structhash train --features x.npy --labels y.npy --queries 2000 --train-size 2000 \\\n"
      "             --seed 1 --model model.shm  # then: structhash evaluate --queries 2000 --seed "
      "1\n"
      "  structhash train --features docs.npy --query-features queries.npy \\\n"
      "             --relevance qrels.trec --model model.shm\n");
  auto options = std::make_shared<TrainOptions>();
  add_options(command, *options);
  add_seed_option(command, session, "the rows and everything random in the method");
  add_threads_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
