#include "structhash/evaluation/experiment.hpp"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <filesystem>
#include <functional>
#include <thread>

#include "evaluation/experiment_data.hpp"
#include "experiment_text.hpp"
#include "file_roles.hpp"
#include "interrupt.hpp"
#include "live_table.hpp"
#include "memory_limit.hpp"
#include "memory_plan.hpp"
#include "results_file.hpp"
#include "session.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

struct ExperimentOptions {
  std::string file;
  std::string results;  // empty: in the current folder, named after the experiment
  Index jobs = 1;
  bool keep_stale = false;
  bool without_training = false;
  std::vector<std::string> seeds;  // empty: those of the file
};

std::vector<std::uint64_t> seeds_of(const std::vector<std::string>& words) {
  std::vector<std::uint64_t> seeds;
  for (const std::string& word : words) {
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, seeds.emplace_back());
    require(error == std::errc() && stop == end,
            fmt::format("--seeds takes whole numbers separated by commas, got '{}'", word));
  }
  return seeds;
}

std::vector<PlannedCell> plan_of(const Experiment& experiment) {
  std::vector<PlannedCell> plan;
  for (const ExperimentCell& cell : cells(experiment)) {
    plan.push_back({cell, config_hash(experiment, cell)});
  }
  return plan;
}

/// Cells are handed out one by one to jobs that run at the same time.
class Workers {
 public:
  Workers(const Experiment& experiment, std::vector<PlannedCell> pending, ResultsFile& results,
          const ExperimentOptions& options, const Session& session)
      : experiment_(experiment),
        pending_(std::move(pending)),
        results_(results),
        jobs_(std::clamp<Index>(options.jobs, 1, std::max<Index>(1, std::ssize(pending_)))),
        threads_(std::max(1, session.thread_count() / static_cast<int>(jobs_))),
        store_(session.thread_count()),
        table_(std::ssize(pending_), jobs_, session.color) {}

  /// Returns how many cells failed.
  Index run() {
    {
      std::vector<std::jthread> others;
      for (Index job = 1; job < jobs_; ++job) {
        others.emplace_back([this, job] { work(job); });
      }
      work(0);
    }
    table_.clear();
    if (broken_) {
      std::rethrow_exception(broken_);
    }
    if (interrupted()) {
      fail(Errc::interrupted, fmt::format("stopped on request; finished cells are saved in {}; run "
                                          "the same command to continue",
                                          results_.path()));
    }
    return failures_;
  }

 private:
  void work(Index job) {
    std::shared_ptr<const ExperimentData> data;  // kept until the job needs another data set
    while (!stop_ && !interrupted()) {
      const Index next = next_++;
      if (next >= std::ssize(pending_)) {
        return;
      }
      const ExperimentCell& cell = pending_[static_cast<std::size_t>(next)].cell;
      const ProgressCallback on_progress = table_.start(job, cell_text(cell));
      try {
        data = store_.get(*cell.dataset);
        keep(job, cell, run_cell(*data, experiment_, cell, interruptible(threads_), on_progress));
      } catch (const Error& error) {
        if (error.code() == Errc::interrupted) {
          return;
        }
        give_up(job, cell, error.what());
      } catch (const std::exception& error) {  // no memory, say: a thread must not throw
        give_up(job, cell, error.what());
      }
    }
  }

  /// One cell that fails does not lose the others.
  void give_up(Index job, const ExperimentCell& cell, const char* why) {
    ++failures_;
    table_.finish(job, {fmt::format("FAILED: {}: {}", cell_text(cell), why)});
  }

  /// What cannot be stored ends the experiment: its results would be lost.
  void keep(Index job, const ExperimentCell& cell, const std::vector<DetailedRow>& rows) {
    const std::lock_guard lock(mutex_);
    try {
      results_.append(rows);
    } catch (const Error&) {
      broken_ = std::current_exception();
      stop_ = true;
      return;
    }
    table_.finish(job, finished_lines(cell, rows));
  }

  const Experiment& experiment_;
  std::vector<PlannedCell> pending_;
  ResultsFile& results_;
  Index jobs_;
  int threads_;
  ExperimentDataStore store_;
  LiveTable table_;
  std::mutex mutex_;
  std::atomic<Index> next_ = 0;
  std::atomic<Index> failures_ = 0;
  std::atomic<bool> stop_ = false;
  std::exception_ptr broken_;
};

/// Cells without rows; with `keep_stale` rows that other code made will do.
std::vector<PlannedCell> pending_of(const std::vector<PlannedCell>& plan,
                                    const ResultsFile& results, bool keep_stale) {
  std::vector<PlannedCell> pending;
  Index stale = 0;
  for (const PlannedCell& planned : plan) {
    const bool is_stale = results.has_stale(planned);
    stale += is_stale ? 1 : 0;
    if (!results.has(planned) && !(is_stale && keep_stale)) {
      pending.push_back(planned);
    }
  }
  if (stale > 0) {
    print_note(fmt::format(
        "{} of {} cells have only rows of another version of the code or other settings: {}", stale,
        plan.size(),
        keep_stale ? "they are kept, marked with *"
                   : "they are run again (--keep-stale "
                     "keeps them)"));
  }
  return pending;
}

std::string results_path(const ExperimentOptions& options) {
  if (!options.results.empty()) {
    return options.results;
  }
  return std::filesystem::path(options.file).stem().string() +
         (options.without_training ? "-without-training.jsonl" : ".jsonl");
}

/// The files that the experiment names are inputs, too.
void require_separate_results(const ExperimentOptions& options, const Experiment& experiment) {
  std::vector<NamedFile> inputs{{"the command", options.file}};
  for (const ExperimentDataset& dataset : experiment.datasets) {
    for (const auto* files : {&dataset.features, &dataset.labels, &dataset.query_features,
                              &dataset.images, &dataset.texts}) {
      for (const std::string& file : *files) {
        inputs.push_back({"data set " + dataset.name, file});
      }
    }
  }
  require_separate_files(inputs, std::vector<NamedFile>{{"--results", results_path(options)}});
}

void print_summary(const Experiment& experiment, std::span<const ResultRow> rows,
                   std::span<const Verdict> verdicts, const std::string& results,
                   const Session& session) {
  if (session.json) {
    const nlohmann::ordered_json json{{"results", results},
                                      {"summary", summary_json(rows)},
                                      {"expect", verdicts_json(verdicts)},
                                      {"version", STRUCTHASH_VERSION}};
    print_data(json_text(json));
    return;
  }
  const bool color = use_color(session.color, 1);
  print_data(summary_text(experiment, rows, color));
  if (!verdicts.empty()) {
    print_data(fmt::format("\n{}", verdict_text(verdicts, color)));
  }
}

void run(const ExperimentOptions& options, const Session& session) {
  Experiment experiment = load_experiment(options.file);
  if (options.without_training) {
    experiment.protocol.database = "without-training";
  }
  if (!options.seeds.empty()) {
    experiment.seeds = seeds_of(options.seeds);
  }
  require_separate_results(options, experiment);
  check(experiment);
  if (session.memory_limit > 0.0) {
    check_memory_limit(session.memory_limit,
                       memory_of_experiment(experiment, options.jobs, session.thread_count()),
                       "use fewer --jobs or training rows, or raise the limit");
  }
  const std::vector<PlannedCell> plan = plan_of(experiment);
  ResultsFile results(results_path(options), plan);
  const std::vector<PlannedCell> pending = pending_of(plan, results, options.keep_stale);
  print_note(fmt::format("{} cells, {} to do", plan.size(), pending.size()));
  const Index failures = Workers(experiment, pending, results, options, session).run();

  const std::vector<ResultRow> rows = results.rows_of(plan, options.keep_stale);
  const std::vector<Verdict> verdicts = judge(experiment, rows);
  print_summary(experiment, rows, verdicts, results.path(), session);
  print_note(
      fmt::format("Rows are in {}; run structhash report {} --out report.html for a page of charts",
                  results.path(), results.path()));
  if (failures > 0) {
    fail(Errc::bad_data, fmt::format("{} of {} cells failed", failures, plan.size()));
  }
  const auto missed = std::ranges::count_if(verdicts, std::not_fn(&Verdict::passed));
  if (missed > 0) {
    flush_data();
    fail(Errc::bad_data, fmt::format("{} of {} expectations are not met", missed, verdicts.size()));
  }
}

}  // namespace

void add_experiment(CLI::App& app, Session& session) {
  Command command(app, "experiment",
                  "Run methods on data sets, code lengths and seeds; resumes an interrupted run",
                  "  structhash experiment experiments/paper-table1-2.json\n"
                  "  structhash experiment mine.json --results mine.jsonl --jobs 2 --threads 4\n");
  auto options = std::make_shared<ExperimentOptions>();
  command.input({"file", "FILE", "An experiment file (JSON)"}, options->file, Need::required);
  command.output(
      {"--results", "FILE", "Result rows, one JSON object per line (default NAME.jsonl)"},
      options->results);
  command.number(
      {"--jobs", "N", "Cells to run at the same time; they share the threads (default 1)"},
      options->jobs, 1);
  command.flag("--keep-stale", options->keep_stale,
               "Keep rows of another version of the code instead of running them again");
  command.flag(
      "--without-training", options->without_training,
      "Leave training rows out of the database (default results NAME-without-training.jsonl)");
  command.comma_list({"--seeds", "NUMBERS", "Seeds in place of those of the file: 21,22,23"},
                     options->seeds);
  add_threads_option(command, session);
  add_memory_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
