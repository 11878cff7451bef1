#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "demo_task.hpp"
#include "demo_text.hpp"
#include "interrupt.hpp"
#include "page_parts.hpp"
#include "processor.hpp"
#include "session.hpp"
#include "structhash/report/report_page.hpp"

namespace structhash::cli {
namespace {

struct DemoOptions {
  Index bits = 64;
  std::vector<std::string> methods;  // empty: all on the digits, StructHash on the questions
  std::string report;                // empty: no page
};

void write_page(const DemoOptions& options, std::vector<Comparison> comparisons) {
  ReportNotes notes{.title = "StructHash: questions and digits"};
  notes.facts = demo_facts(comparisons);
  notes.facts.emplace_back("Command", fmt::format("structhash demo --bits {} --report {}",
                                                  options.bits, options.report));
  if (const std::string processor = processor_name(); !processor.empty()) {
    notes.facts.emplace_back("Processor", processor);
  }
  std::vector<DetailedRow> rows;
  for (Comparison& comparison : comparisons) {
    std::ranges::move(comparison.rows, std::back_inserter(rows));
  }
  AtomicFile file(options.report);
  file.write(report_page(std::move(rows), {}, notes, embedded_page()));
  file.commit();
  flush_data();  // so that the note comes last if both streams go to one file
  print_note("The page is in " + options.report);
}

/// The rows of both tasks, from one queue of jobs.
std::vector<Comparison> compare(const DemoOptions& options, const RetrievalTask& questions,
                                const RetrievalTask& digits, const Session& session) {
  std::vector<DemoJob> jobs = questions_jobs(questions, options.methods, options.bits);
  std::ranges::move(digits_jobs(digits, options.methods, options.bits), std::back_inserter(jobs));
  ProgressDisplay display(session.color);
  const ProgressCallback show = display.callback();
  const auto on_done = [&](Index done) {
    show({.stage = "comparing methods",
          .done = to_double(done),
          .total = to_double(std::ssize(jobs)),
          .detail = {}});
  };
  on_done(0);
  std::vector<Comparison> comparisons{{&questions}, {&digits}};
  for (DetailedRow& row :
       run_jobs(jobs, session.seed(), interruptible(session.thread_count()), on_done)) {
    comparisons[row.row.dataset == questions.name ? 0 : 1].rows.push_back(std::move(row));
  }
  display.clear();
  return comparisons;
}

void run(const DemoOptions& options, const Session& session) {
  if (!options.report.empty()) {
    require_charts(embedded_page());  // before the long work
  }
  const RetrievalTask questions = questions_task(session.seed());
  const RetrievalTask digits = digits_task(session.seed());
  std::vector<Comparison> comparisons = compare(options, questions, digits, session);
  if (session.json) {
    print_data(demo_json(comparisons, options.bits));
  } else {
    const bool color = use_color(session.color, 1);
    print_data(
        digits_text(comparisons[1], options.bits, color) + "\n" +
        questions_text(comparisons[0], color) +
        "\ntrain s: seconds of training, StructHash on all threads, every other method on one\n");
  }
  if (!options.report.empty()) {
    write_page(options, std::move(comparisons));
  }
}

}  // namespace

void add_demo(CLI::App& app, Session& session) {
  Command command(app, "demo", "Compare methods on the embedded digits and questions",
                  "  structhash demo\n  structhash demo --report demo-report.html\n"
                  "  structhash demo --bits 32 --methods structhash,lsh --json\n");
  auto options = std::make_shared<DemoOptions>();
  command.number({"--bits", "N",
                  "Bits per code (default 64); on the questions also half and a quarter of them"},
                 options->bits, 1);
  command.comma_list({"--methods", "NAMES",
                      "Methods to compare, separated by commas (default: all on the digits, "
                      "structhash on the questions)"},
                     options->methods);
  command.output({"--report", "FILE",
                  "Also write a page of tables, charts, pictures and texts to compare (HTML)"},
                 options->report);
  add_seed_option(command, session, "the queries and everything random in the methods");
  add_threads_option(command, session);
  add_output_options(command, session);
  command.action([options, &session] { run(*options, session); });
}

}  // namespace structhash::cli
