#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "demo_task.hpp"
#include "interrupt.hpp"
#include "page_parts.hpp"
#include "processor.hpp"
#include "session.hpp"
#include "structhash/report/report_page.hpp"

namespace structhash::cli {
namespace {

/// "kernel" or "linear" for a method that runs with several kinds of bit functions.
std::string functions_of(const ResultRow& row) {
  return nlohmann::json::parse(row.params).value("functions", "");
}

nlohmann::ordered_json as_json(const RetrievalTask& task, Index bits,
                               const std::vector<DetailedRow>& rows) {
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const DetailedRow& entry : rows) {
    nlohmann::ordered_json measures = nlohmann::ordered_json::object();
    for (const auto& [name, value] : entry.row.measures) {
      measures[name] = value;
    }
    results.push_back({{"method", entry.row.method},
                       {"params", nlohmann::ordered_json::parse(entry.row.params)},
                       {"distance", entry.row.distance},
                       {"measures", measures},
                       {"train_seconds", entry.row.train_seconds}});
  }
  return {{"data", "digits"},
          {"queries", task.queries.size()},
          {"database", task.database.size()},
          {"bits", bits},
          {"results", results},
          {"version", STRUCTHASH_VERSION}};
}

std::string as_text(const RetrievalTask& task, Index bits, const std::vector<DetailedRow>& rows,
                    bool color) {
  std::vector<std::vector<std::string>> cells{{"method", "functions", "distance"}};
  for (const auto& [name, value] : rows.front().row.measures) {
    cells[0].push_back(name);
  }
  cells[0].emplace_back("train s");
  for (const DetailedRow& entry : rows) {
    std::vector<std::string> line{entry.row.method, functions_of(entry.row), entry.row.distance};
    for (const auto& [name, value] : entry.row.measures) {
      line.push_back(fmt::format("{:.4f}", value));
    }
    line.push_back(fmt::format("{:.2f}", entry.row.train_seconds));
    cells.push_back(std::move(line));
  }
  return fmt::format(
             "Handwritten digits, {} queries against {} others, codes of {} bits.\n"
             "An item is relevant when it shows the digit of the query; 1 is perfect.\n\n",
             task.queries.size(), task.database.size(), bits) +
         table_text(cells, color);
}

struct DemoOptions {
  Index bits = 64;
  std::vector<std::string> methods;  // empty: all of the table
  std::string report;                // empty: no page
};

void write_page(const DemoOptions& options, const RetrievalTask& task,
                std::vector<DetailedRow> rows) {
  ReportNotes notes{.title = "StructHash: the embedded digits"};
  notes.facts = {
      {"Protocol",
       fmt::format("{} of {} handwritten digits of 8x8 pixels are queries, all others are both "
                   "training set and database; an item is relevant when it shows the same digit",
                   task.queries.size(), task.queries.size() + task.database.size())},
      {"Command",
       fmt::format("structhash demo --bits {} --report {}", options.bits, options.report)}};
  if (const std::string processor = processor_name(); !processor.empty()) {
    notes.facts.emplace_back("Processor", processor);
  }
  AtomicFile file(options.report);
  file.write(report_page(std::move(rows), {}, notes, embedded_page()));
  file.commit();
  flush_data();  // so that the note comes last if both streams go to one file
  print_note("The page is in " + options.report);
}

void run(const DemoOptions& options, const Session& session) {
  const std::vector<MethodVariant> methods = method_variants(options.methods);
  if (!options.report.empty()) {
    require_charts(embedded_page());  // before the long work
  }
  const int threads = session.thread_count();
  const RetrievalTask task = prepare_demo(session.seed(), threads);
  ProgressDisplay display(session.color);
  const FitContext context{
      .seed = session.seed(), .threads = interruptible(threads), .on_progress = display.callback()};
  std::vector<DetailedRow> rows;
  for (const MethodVariant& method : methods) {
    std::vector<DetailedRow> more = run_variant(method, task, options.bits, context);
    std::ranges::move(more, std::back_inserter(rows));
  }
  display.clear();
  print_data(session.json ? json_text(as_json(task, options.bits, rows))
                          : as_text(task, options.bits, rows, use_color(session.color, 1)));
  if (!options.report.empty()) {
    write_page(options, task, std::move(rows));
  }
}

}  // namespace

void add_demo(CLI::App& app, Session& session) {
  Command command(app, "demo", "Compare all methods on the embedded digits",
                  "  structhash demo\n  structhash demo --report demo-report.html\n"
                  "  structhash demo --bits 32 --methods structhash,lsh --json\n");
  auto options = std::make_shared<DemoOptions>();
  command.number({"--bits", "N", "Bits per code (default 64)"}, options->bits, 1);
  command.comma_list(
      {"--methods", "NAMES", "Methods to compare, separated by commas (default all)"},
      options->methods);
  command.output({"--report", "FILE", "Also write a page of tables, charts and pictures (HTML)"},
                 options->report);
  add_seed_option(command, session, "the queries and everything random in the methods");
  add_threads_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
