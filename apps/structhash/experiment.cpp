#include "structhash/evaluation/experiment.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "interrupt.hpp"
#include "session.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

struct ExperimentOptions {
  std::string file;
  std::string results;  // empty: beside the current folder, named after the experiment
};

/// Rows of earlier runs.  A last line without its end is what a killed run left: it is dropped.
std::vector<ResultRow> read_rows(const std::string& path) {
  std::vector<ResultRow> rows;
  std::ifstream file(path, std::ios::binary);
  std::string line;
  Index number = 0;
  while (std::getline(file, line)) {
    ++number;
    if (file.eof()) {
      break;
    }
    try {
      rows.push_back(parse_row(line));
    } catch (const Error& error) {
      fail(error.code(), fmt::format("{}, line {}: {}", path, number, error.what()));
    }
  }
  return rows;
}

/// Adds whole lines to the file, and makes sure that it begins on a line of its own.
class RowWriter {
 public:
  RowWriter(const std::string& path, std::span<const ResultRow> kept) : path_(path) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << lines(kept);
    file_.open(path_, std::ios::binary | std::ios::app);
  }
  void write(std::span<const ResultRow> rows) {
    file_ << lines(rows) << std::flush;
    if (!file_) {
      fail(Errc::io, path_ + ": cannot be written; is the disk full?");
    }
  }

 private:
  static std::string lines(std::span<const ResultRow> rows) {
    std::string text;
    for (const ResultRow& row : rows) {
      text += to_json(row);
      text += '\n';
    }
    return text;
  }
  std::string path_;
  std::ofstream file_;
};

/// Means over seeds: one line per data set, method, bits and distance, in order of appearance.
std::string summary(const Experiment& experiment, std::span<const ResultRow> rows, bool color) {
  struct Group {
    std::vector<std::string> key;
    std::map<std::string, double> sums;
    double seconds = 0.0;
    Index seeds = 0;
  };
  std::vector<Group> groups;
  for (const ResultRow& row : rows) {
    std::vector<std::string> key{row.dataset, row.method, row.params, fmt::to_string(row.bits),
                                 row.distance};
    auto found = std::ranges::find(groups, key, &Group::key);
    if (found == groups.end()) {
      groups.push_back({.key = std::move(key)});
      found = std::prev(groups.end());
    }
    for (const auto& [name, value] : row.measures) {
      found->sums[name] += value;
    }
    found->seconds += row.train_seconds;
    ++found->seeds;
  }
  std::vector<std::vector<std::string>> table{
      {"data set", "method", "parameters", "bits", "distance", "seeds"}};
  table[0].insert(table[0].end(), experiment.measures.begin(), experiment.measures.end());
  table[0].emplace_back("train s");
  for (const Group& group : groups) {
    std::vector<std::string> line = group.key;
    line.push_back(fmt::to_string(group.seeds));
    for (const std::string& measure : experiment.measures) {
      const auto sum = group.sums.find(measure);
      line.push_back(
          sum == group.sums.end() ? "-" : fmt::format("{:.4f}", sum->second / real(group.seeds)));
    }
    line.push_back(fmt::format("{:.1f}", group.seconds / real(group.seeds)));
    table.push_back(std::move(line));
  }
  return table_text(table, color);
}

std::string verdict_text(std::span<const Verdict> verdicts, bool color) {
  std::vector<std::vector<std::string>> table{{"expected", "measure", "wanted", "reached", ""}};
  for (const Verdict& verdict : verdicts) {
    const RowPattern& rows = verdict.expectation->rows;
    std::string what = rows.dataset;
    for (const auto& [name, value] : rows.options) {
      what += ' ';
      what += value;
    }
    table.push_back({what, verdict.measure, fmt::format("{:.4f}", verdict.wanted),
                     verdict.seeds > 0 ? fmt::format("{:.4f}", verdict.reached) : "-",
                     verdict.passed() ? "pass" : "FAIL"});
  }
  return table_text(table, color);
}

void run(const ExperimentOptions& options, const Session& session) {
  const Experiment experiment = load_experiment(options.file);
  const std::string path = options.results.empty()
                               ? std::filesystem::path(options.file).stem().string() + ".jsonl"
                               : options.results;
  std::vector<ResultRow> stored = read_rows(path);
  std::set<std::string> done;
  for (const ResultRow& row : stored) {
    done.insert(row.config_hash);
  }
  RowWriter writer(path, stored);
  ProgressDisplay display(session.color);
  ExperimentRunner runner(experiment, session.thread_count(), display.callback());
  const std::vector<ExperimentCell> all = cells(experiment);
  std::set<std::string> wanted;
  Index failures = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ExperimentCell& cell = all[i];
    const std::string hash = config_hash(experiment, cell);
    wanted.insert(hash);
    if (done.contains(hash)) {
      continue;
    }
    display.clear();
    print_note(fmt::format("cell {} of {}: {}, {} {}, {} bits, seed {}", i + 1, all.size(),
                           cell.dataset->name, cell.method->method, cell.method->params, cell.bits,
                           cell.seed));
    try {
      const std::vector<ResultRow> rows = runner.run(cell);
      writer.write(rows);
      stored.insert(stored.end(), rows.begin(), rows.end());
    } catch (const Error& error) {
      if (error.code() == Errc::interrupted || error.code() == Errc::io) {
        throw;
      }
      ++failures;  // one cell that fails does not lose the others
      display.clear();
      print_error(fmt::format("cell {} failed: {}", i + 1, error.what()), session.color);
    }
    stop_if_interrupted();
  }
  display.clear();
  std::erase_if(stored, [&](const ResultRow& row) { return !wanted.contains(row.config_hash); });
  const bool color = use_color(session.color, 1);
  print_data(summary(experiment, stored, color));
  const std::vector<Verdict> verdicts = judge(experiment, stored);
  if (!verdicts.empty()) {
    print_data(fmt::format("\n{}", verdict_text(verdicts, color)));
  }
  print_note("Rows are in " + path);
  if (failures > 0) {
    fail(Errc::bad_data, fmt::format("{} of {} cells failed", failures, all.size()));
  }
}

}  // namespace

void add_experiment(CLI::App& app, Session& session) {
  Command command(app, "experiment", "Run methods on data sets, over bits and seeds; resumes",
                  "  structhash experiment experiments/learner.json\n"
                  "  structhash experiment mine.json --results mine.jsonl --threads 4\n");
  auto options = std::make_shared<ExperimentOptions>();
  command.positional({"file", "FILE", "An experiment file (JSON)"}, options->file);
  command.text({"--results", "FILE", "Result rows, one JSON object per line (default NAME.jsonl)"},
               options->results);
  add_threads_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
