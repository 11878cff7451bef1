#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "evaluation/retrieval_task.hpp"
#include "interrupts.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/report/report_page.hpp"
#include "structhash/report/result_files.hpp"

namespace structhash::python {
namespace {

using namespace nb::literals;

/// Result rows of files and of models evaluated here.
struct ResultRows {
  std::vector<DetailedRow> rows;

  void add(std::vector<DetailedRow> more) { std::ranges::move(more, std::back_inserter(rows)); }
};

/// The task that a model is evaluated on.
RetrievalTask make_task(const std::string& name, const Rows<float>& database,
                        const Rows<float>& queries, const GroundTruth& truth) {
  RetrievalTask task{.name = name,
                     .training = {},
                     .queries = {.name = name, .features = view(queries), .labels = {}},
                     .database = {.name = name, .features = view(database), .labels = {}},
                     .truth = truth,
                     .query_picture = {},
                     .database_picture = {},
                     .query_text = {},
                     .database_text = {},
                     .shown = {}};
  return task;
}

void judge(ResultRows& results, const RetrievalTask& task, const HashModel& model,
           const ResultRow& known, const std::vector<std::string>& measures, int threads) {
  ProgressRelay relay{nb::none()};
  relay.run([&] {
    results.add(evaluate_model(task, model, known, measures,
                               {.seed = Seed{known.seed},
                                .threads = {resolve_threads(threads), relay.stop()},
                                .on_progress = relay.callback()}));
  });
}

std::string page(const ResultRows& results, const std::vector<std::string>& expected_files,
                 const ReportNotes& notes, const PageParts& parts) {
  std::vector<ExpectedRow> expected;
  for (const std::string& path : expected_files) {
    std::ranges::move(load_expected(path), std::back_inserter(expected));
  }
  return report_page(results.rows, expected, notes, parts);
}

}  // namespace

void bind_report(nb::module_& module) {
  nb::class_<RetrievalTask>(module, "RetrievalTask", "Features to search with queries, and truth")
      .def_static("of", &make_task, "name"_a, "database"_a.noconvert(), "queries"_a.noconvert(),
                  "truth"_a, nb::call_guard<nb::gil_scoped_release>());
  nb::class_<ResultRows>(module, "ResultRows", "What methods reached: the rows of a report")
      .def(nb::init<>())
      .def("__len__", [](const ResultRows& results) { return results.rows.size(); })
      .def(
          "read",
          [](ResultRows& results, const std::string& path) { results.add(load_results(path)); },
          "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "judge",
          [](ResultRows& results, const RetrievalTask& task, const HashModel& model,
             const std::string& params, std::uint64_t seed, double train_seconds,
             const std::vector<std::string>& measures, int threads) {
            ResultRow known;
            known.params = params;
            known.seed = seed;
            known.train_seconds = train_seconds;
            judge(results, task, model, known, measures, threads);
          },
          "task"_a, "model"_a, "params"_a, "seed"_a, "train_seconds"_a, "measures"_a, "threads"_a)
      .def(
          "page",
          [](const ResultRows& results, const std::vector<std::string>& expected,
             const std::string& title,
             const std::vector<std::pair<std::string, std::string>>& facts, const std::string& html,
             const std::string& style, const std::string& charts, const std::string& script) {
            return page(results, expected, {.title = title, .facts = facts},
                        {.html = html, .style = style, .charts = charts, .script = script});
          },
          "expected"_a, "title"_a, "facts"_a, "html"_a, "style"_a, "charts"_a, "script"_a,
          nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace structhash::python
