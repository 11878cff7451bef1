#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "page_parts.hpp"
#include "processor.hpp"
#include "session.hpp"
#include "structhash/core/error.hpp"
#include "structhash/evaluation/experiment.hpp"
#include "structhash/report/report_page.hpp"
#include "structhash/report/result_files.hpp"

namespace structhash::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> results;
  std::vector<std::string> expected;
  std::string experiment;
  std::string title = "StructHash results";
  std::string out;
};

/// What the rows do not say: the protocol, where its file is given, and how this page was made.
ReportNotes notes_of(const ReportOptions& options) {
  ReportNotes notes{.title = options.title};
  if (!options.experiment.empty()) {
    const Protocol protocol = load_experiment(options.experiment).protocol;
    notes.facts.emplace_back(
        "Protocol",
        fmt::format("{} random queries, {} training rows, database: {}; {} "
                    "relevant and {} irrelevant items per training list",
                    protocol.queries, protocol.train,
                    protocol.database == "all" ? "all but the queries" : "all but these",
                    protocol.relevant, protocol.irrelevant));
    notes.facts.emplace_back("Experiment", "structhash experiment " + options.experiment);
  }
  std::string command = fmt::format("structhash report {}", fmt::join(options.results, " "));
  if (!options.expected.empty()) {
    command += fmt::format(" --expected {}", fmt::join(options.expected, " "));
  }
  if (!options.experiment.empty()) {
    command += " --experiment " + options.experiment;
  }
  notes.facts.emplace_back("This page", command + " --out " + options.out);
  if (const std::string processor = processor_name(); !processor.empty()) {
    notes.facts.emplace_back("Processor of the machine that made this page", processor);
  }
  return notes;
}

void run(const ReportOptions& options) {
  const PageParts parts = embedded_page();
  require_charts(parts);  // before the long work
  std::vector<DetailedRow> rows;
  for (const std::string& path : options.results) {
    std::vector<DetailedRow> more = load_results(path);
    std::ranges::move(more, std::back_inserter(rows));
  }
  std::vector<ExpectedRow> expected;
  for (const std::string& path : options.expected) {
    const std::vector<ExpectedRow> more = load_expected(path);
    expected.insert(expected.end(), more.begin(), more.end());
  }
  AtomicFile file(options.out);
  file.write(report_page(std::move(rows), expected, notes_of(options), parts));
  file.commit();
  print_note("The page is in " + options.out);
}

}  // namespace

void add_report(CLI::App& app, Session& session) {
  Command command(app, "report", "Make one HTML page of tables and charts from result rows",
                  "  structhash report learner.jsonl --out report.html\n"
                  "  structhash report a.jsonl b.jsonl --expected experiments/expected/paper.json "
                  "--out report.html\n");
  auto options = std::make_shared<ReportOptions>();
  command.inputs({"results", "FILE...", "Result rows, as `structhash experiment` writes them"},
                 options->results, Need::required);
  command.output({"--out", "FILE", "The page to write"}, options->out, Need::required);
  command.inputs(
      {"--expected", "FILE...", "Published numbers to show beside the results (docs/report.md)"},
      options->expected);
  command.input({"--experiment", "FILE", "The experiment file, to show its protocol"},
                options->experiment);
  command.text({"--title", "TEXT", "Title of the page"}, options->title);
  command.word(color_option(),
               [&session](const std::string& word) { session.color = parse_color(word); });
  command.action([options] { run(*options); });
}

}  // namespace structhash::cli
