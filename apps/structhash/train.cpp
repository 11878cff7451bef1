#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "interrupt.hpp"
#include "memory_limit.hpp"
#include "memory_plan.hpp"
#include "method_text.hpp"
#include "processes.hpp"
#include "session.hpp"
#include "stopwatch.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/version.hpp"
#include "structhash/hashing/model_io.hpp"
#include "train_outcome.hpp"
#include "training_data.hpp"

namespace structhash::cli {
namespace {

struct TrainOptions {
  TrainingFiles files;
  std::string method{methods().front().name};
  MethodOptions method_options;
  std::vector<std::string> extra;  // "name=value"
  std::string preset;
  bool tune = false;
  std::string model;
  std::string checkpoint;  // empty: none
  bool keep_checkpoint = false;
};

/// --option, and the flags that stand for one, as "name=value".
std::vector<std::string> option_texts(const TrainOptions& options) {
  std::vector<std::string> texts = options.extra;
  if (!options.preset.empty()) {
    texts.push_back("preset=" + options.preset);
  }
  if (options.tune) {
    texts.emplace_back("tune=true");
  }
  return texts;
}

MethodOptions complete_options(const TrainOptions& options) {
  MethodOptions complete = options.method_options;
  for (const std::string& text : option_texts(options)) {
    const auto equals = text.find('=');
    require(equals != std::string::npos && equals > 0,
            "--option takes name=value, for example --option centre=false; found '" + text + "'");
    const bool is_new =
        complete.extra.emplace(text.substr(0, equals), text.substr(equals + 1)).second;
    require(is_new, "--option " + text.substr(0, equals) + " is given twice");
  }
  return complete;
}

/// Checked before anything is read.
void check_checkpoint(const TrainOptions& options, const MethodEntry& method) {
  require(options.checkpoint.empty() || method.checkpoints,
          fmt::format("method {} has no checkpoints; leave out --checkpoint", method.name));
  require(!options.keep_checkpoint || !options.checkpoint.empty(),
          "--keep-checkpoint needs --checkpoint");
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
         fmt::format("stopped on request; {} holds the training so far, and the same command "
                     "resumes it",
                     options.checkpoint));
  }
}

/// Before training, not after it: too little memory, a model that cannot be written.  Too many
/// rows, not counted by the user, are sampled; returns the number of all of them, else 0.
Index check_resources(TrainingFiles& files, const TrainOptions& options,
                      const MethodOptions& method_options, const Session& session,
                      const Communicator& processes) {
  const bool given = session.memory_limit > 0.0;
  const double limit = given ? session.memory_limit : machine_memory();
  Index all_rows = 0;
  if (given || processes.size() == 1) {  // machines may differ, and all must take the same rows
    const TrainingPlan plan = plan_training(files, options.method, method_options,
                                            session.thread_count(), processes.size(), limit);
    if (plan.bytes > limit && plan.fitting > 0 && files.train_size == 0 &&
        !files.separate_queries()) {
      files.train_size = plan.fitting;
      all_rows = plan.rows;
      if (processes.rank() == 0) {
        print_note(fmt::format(
            "training on {} of {} rows: all of them would need {}, the {} {}; "
            "--train-size or --memory-limit changes this",
            fmt::group_digits(plan.fitting), fmt::group_digits(plan.rows), size_text(plan.bytes),
            given ? "limit is" : "machine has", size_text(limit)));
      }
    } else if (given) {
      check_memory_limit(
          limit, plan.bytes,
          "train on fewer rows with --train-size, use fewer --threads, or raise the limit");
    }
  }
  if (processes.rank() == 0) {
    const AtomicFile probe(options.model);
  }
  return all_rows;
}

bool can_train_on_shards(const MethodEntry& method, const MethodOptions& options) {
  return std::ranges::find(method.shard_functions, option_value(method, options, "functions")) !=
         method.shard_functions.end();
}

/// Everything that decides the model, except the files: their names may differ between machines.
std::string decisions(const TrainOptions& options, const Session& session) {
  const TrainingFiles& files = options.files;
  std::string text = fmt::format(
      "method {}, bits {}, measure '{}', functions '{}', queries {}, train-size {}, relevant {}, "
      "irrelevant {}, label-grades {}, shards {}, seed {}, checkpoint {}, memory-limit {}, "
      "two-encoders {}",
      options.method, options.method_options.bits, options.method_options.measure,
      options.method_options.functions, files.queries, files.train_size, files.lists.relevant,
      files.lists.irrelevant, static_cast<int>(files.lists.grades), files.shards,
      session.seed_value, !options.checkpoint.empty(), session.memory_limit, files.two_encoders);
  for (const std::string& extra : option_texts(options)) {
    text += ", " + extra;
  }
  return text;
}

/// What a process prepares without the others.
struct Prepared {
  std::unique_ptr<Hasher> hasher;
  TrainingData data;
  Index all_rows = 0;  // where those of the data are a sample
};

Prepared prepare(const TrainOptions& options, const Session& session, Communicator& processes) {
  const MethodEntry& method = find_method(options.method);
  check_checkpoint(options, method);
  const MethodOptions method_options = complete_options(options);
  const bool may_shard = can_train_on_shards(method, method_options);
  TrainingFiles files = options.files;
  files.measure = option_value(method, method_options, "measure");
  Prepared prepared{.hasher = method.make(method_options), .data = {}};
  check_training_options(files, method.supervision, may_shard);
  require(files.components == 0 || processes.size() == 1,
          "--sparse-components needs one process; run it without mpirun");
  prepared.all_rows = check_resources(files, options, method_options, session, processes);
  if (processes.rank() == 0) {
    note_columns(files.items);
  }
  prepared.data = prepare_training(files, method.supervision, session.seed(),
                                   session.thread_count(), {processes, may_shard});
  stop_if_interrupted();
  return prepared;
}

/// True if this process has a part in the training.
bool share_work(const TrainingData& data, Communicator& processes) {
  if (processes.size() == 1) {
    return true;
  }
  const bool first = processes.rank() == 0;
  const int started = processes.size();
  const int working = static_cast<int>(std::min<Index>(started, data.shards));
  const std::string what = "features or labels";
  require_agreement(processes, {{what, data.fingerprints.common}});
  require_neighbours_agree(processes, {what, data.fingerprints.own, data.fingerprints.next},
                           working);
  if (first && working < started) {
    print_note(
        fmt::format("{} of {} processes have nothing to do: the rows are in {} shard{}; use more "
                    "--shards",
                    started - working, started, data.shards, data.shards == 1 ? "" : "s"));
  }
  return processes.keep_first(working);
}

ProgressCallback quiet() {
  return [](const Progress&) { return !interrupted(); };
}

/// Of all processes; of two kinds of rows, the queries: they are what an evaluation looks for.
TrainingRows training_rows(const TrainingData& data, Communicator& processes) {
  const bool two = data.set.two_views();
  TrainingRows rows =
      remember_rows(two ? data.set.queries : data.set.x, two ? data.set.queries.rows() : data.rows);
  std::string own(rows.filter.size() * sizeof(std::uint64_t), '\0');
  std::memcpy(own.data(), rows.filter.data(), own.size());
  for (const std::string& part : processes.gather(own)) {
    std::vector<std::uint64_t> filter(rows.filter.size());
    std::memcpy(filter.data(), part.data(), own.size());
    std::ranges::transform(rows.filter, filter, rows.filter.begin(), std::bit_or{});
  }
  return rows;
}

/// What the model should know of its data, among its parameters: the names of the classes, and the
/// number of all rows if it was trained on some of them.
void add_origin(HashModel& model, const Prepared& prepared) {
  constexpr std::size_t kMaxNames = 10'000;
  const std::vector<std::string>& names = prepared.data.set.labels.names;
  auto parameters = nlohmann::json::parse(model.parameters);
  if (!names.empty() && names.size() <= kMaxNames) {
    parameters["classes"] = names;
  }
  if (prepared.all_rows > 0) {
    parameters["sampled_rows"] = {{"rows", prepared.data.rows}, {"of", prepared.all_rows}};
  }
  model.parameters = parameters.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void run(const TrainOptions& options, const Session& session, Communicator& processes) {
  if (processes.size() > 1) {  // before anything is read
    require_agreement(processes, {{"code", std::string(code_version())},
                                  {"options", decisions(options, session)}});
  }
  Prepared prepared;
  on_each(processes, [&] { prepared = prepare(options, session, processes); });
  const TrainingData& data = prepared.data;
  if (!share_work(data, processes)) {
    return;
  }
  const bool first = processes.rank() == 0;
  Outcome outcome{
      .lists = sum_of(processes, to_double(std::ssize(data.set.lists))),
      .queries = sum_of(processes, to_double(data.lists.queries)),
      .without_relevant = sum_of(processes, to_double(data.lists.without_relevant)),
      .without_irrelevant = sum_of(processes, to_double(data.lists.without_irrelevant))};
  if (first) {
    note_lists(outcome);
  }
  ProgressDisplay display(session.color);
  Stopwatch watch;
  HashModel model = fit(*prepared.hasher, data.set, options,
                        {.seed = session.seed(),
                         .threads = interruptible(session.thread_count()),
                         .on_progress = first ? display.callback() : quiet(),
                         .checkpoint = options.checkpoint,
                         .processes = &processes});
  outcome.seconds = watch.lap();
  if (first) {
    display.complete("training");
  }
  model.training = training_rows(data, processes);
  outcome.network_bytes = sum_of(processes, static_cast<double>(processes.bytes_sent()));
  if (!first) {
    return;
  }
  add_origin(model, prepared);
  if (data.projection) {
    model.projection = *data.projection;
  }
  save_model(model, options.model);
  if (!options.checkpoint.empty() && !options.keep_checkpoint) {
    std::error_code ignored;  // a checkpoint that remains does no harm
    std::filesystem::remove(options.checkpoint, ignored);
  }
  display.clear();
  print_outcome(options.model, session, model, data, outcome, processes.size());
}

void add_options(Command& command, TrainOptions& options) {
  add_training_options(command, options.files);
  command.output({"--model", "FILE", "Model file to write"}, options.model, Need::required);
  command.text({"--method", "NAME",
                fmt::format("Method, see structhash methods (default {})", options.method)},
               options.method);
  command.number({"--bits", "N", "Bits per code (default 64)"}, options.method_options.bits, 1);
  command.text({"--measure", "NAME",
                "Ranking measure to train for, see structhash measures; for methods that take one"},
               options.method_options.measure);
  const MethodEntry& first = methods().front();
  command.text({"--functions", "NAME",
                fmt::format("Kind of hash functions, for methods that have a choice; {}: {}",
                            first.name, choices_of(first, "functions"))},
               options.method_options.functions);
  command.text({"--preset", "NAME",
                fmt::format("Other defaults for the options below: {}; for the method {}",
                            choices_of(first, "preset"), first.name)},
               options.preset);
  command.flag("--tune", options.tune,
               "Try other parameters on held-out queries, about five trainings; for the method "
               "structhash");
  command.output(
      {"--checkpoint", "FILE",
       "Write the training so far to FILE after every bit; if training is interrupted, the same "
       "command resumes it. For the method structhash"},
      options.checkpoint);
  command.flag("--keep-checkpoint", options.keep_checkpoint,
               "Leave the checkpoint: the same command with more --bits continues from it");
  command.repeated(
      {"--option", "NAME=VALUE", "Further option of the method, see below; may be repeated"},
      options.extra);
  command.ending(fmt::format(
      "\nOptions of the method {} (--option NAME=VALUE) with their defaults, also of presets; "
      "structhash methods NAME lists those of another:\n{}",
      first.name, option_table(first)));
}

}  // namespace

void add_train(CLI::App& app, Session& session) {
  Command command(
      app, "train", "Learn a model from features and supervision",
      "  structhash train --features x.npy --labels y.npy --bits 64 --model model.shm\n"
      "  structhash train --method lsh --features part1.fvecs part2.fvecs --model lsh.shm\n"
      "  structhash train --features x.npy --labels y.npy --queries 2000 --train-size 2000 \\\n"
      "             --seed 1 --model model.shm  # then: evaluate --queries 2000 --seed 1\n"
      "  structhash train --features x.npy --labels y.npy --model m.shm --checkpoint m.checkpoint\n"
      "  mpirun -n 4 structhash train --features x.npy --labels y.npy --shards 16 --model m.shm\n"
      "  structhash train --features docs.npy --query-features queries.npy \\\n"
      "             --relevance qrels.trec --model model.shm\n"
      "  structhash train --features images.npy --labels y.npy --two-encoders \\\n"
      "             --query-features texts.npy --query-labels text-y.npy --model model.shm\n");
  auto options = std::make_shared<TrainOptions>();
  add_options(command, *options);
  add_seed_option(command, session, "the rows and everything random in the method");
  add_threads_option(command, session);
  add_memory_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] {
    run_on_all(session.color, [&](Communicator& processes) { run(*options, session, processes); });
  });
}

}  // namespace structhash::cli
