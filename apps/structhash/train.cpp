#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interrupt.hpp"
#include "memory_limit.hpp"
#include "memory_plan.hpp"
#include "session.hpp"
#include "stopwatch.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/core/atomic_file.hpp"
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
  std::string checkpoint;  // empty: none
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

/// What --checkpoint cannot do is said before anything is read.
void check_checkpoint(const TrainOptions& options, const MethodEntry& method) {
  require(
      options.checkpoint.empty() || method.make == &make_structhash,
      fmt::format("--checkpoint keeps the training of the method structhash; {} has none, leave "
                  "the option out",
                  method.name));
  require(options.checkpoint.empty() || options.checkpoint != options.model,
          "--checkpoint and --model need a file each");
}

HashModel fit(const Hasher& hasher, const TrainingSet& data, const TrainOptions& options,
              const FitContext& context) {
  try {
    HashModel model = hasher.fit(data, context);
    stop_if_interrupted();
    return model;
  } catch (const Error& error) {
    if (error.code() != Errc::interrupted || options.checkpoint.empty()) {
      throw;
    }
    fail(Errc::interrupted,
         fmt::format("stopped on request; what was learned is kept in {}, the same command goes on "
                     "from there",
                     options.checkpoint));
  }
}

/// What would be known only after hours is found out first: too little memory, a model that cannot
/// be written.
void check_resources(const TrainOptions& options, const MethodOptions& method_options,
                     const Session& session) {
  if (session.memory_limit > 0.0) {
    const int threads = session.thread_count();
    keep_memory_limit(
        session.memory_limit,
        memory_of_training(options.files, options.method, method_options, threads),
        "learn from fewer rows by --train-size, use fewer --threads, or raise the limit");
  }
  const AtomicFile probe(options.model);
}

void run(const TrainOptions& options, const Session& session) {
  const MethodEntry& method = find_method(options.method);
  check_checkpoint(options, method);
  const MethodOptions method_options = complete_options(options);
  const auto hasher = method.make(method_options);
  check_resources(options, method_options, session);
  const int threads = session.thread_count();
  const TrainingData data =
      prepare_training(options.files, method.supervision, session.seed(), threads);
  stop_if_interrupted();
  note_lists(data.lists);

  ProgressDisplay display(session.color);
  Stopwatch watch;
  const HashModel model = fit(*hasher, data.set, options,
                              {.seed = session.seed(),
                               .threads = interruptible(threads),
                               .on_progress = display.callback(),
                               .checkpoint = options.checkpoint});
  const double seconds = watch.lap();
  save_model(model, options.model);
  if (!options.checkpoint.empty()) {
    std::error_code ignored;  // a checkpoint that stays only makes the next training shorter
    std::filesystem::remove(options.checkpoint, ignored);
  }
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
  command.text(
      {"--checkpoint", "FILE",
       "Keep what is learned in FILE after every bit; if training is stopped or killed, the "
       "same command goes on from there. For the method structhash"},
      options.checkpoint);
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
      "  structhash train --features x.npy --labels y.npy --model m.shm --checkpoint m.checkpoint\n"
      "  structhash train --features docs.npy --query-features queries.npy \\\n"
      "             --relevance qrels.trec --model model.shm\n");
  auto options = std::make_shared<TrainOptions>();
  add_options(command, *options);
  add_seed_option(command, session, "the rows and everything random in the method");
  add_threads_option(command, session);
  add_memory_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
