#include <fstream>
#include <string>
#include <vector>

#include "evaluation/experiment_text.hpp"
#include "fuzz/expect.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/targets.hpp"
#include "structhash/evaluation/result_row.hpp"
#include "structhash/relevance/judgments.hpp"
#include "structhash/report/expected_values.hpp"
#include "structhash/report/result_files.hpp"

/// Judgments, experiments and results: text that people write, or another program.
namespace structhash::fuzz {
namespace {

std::string text_of(Bytes bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace

void read_qrels(Bytes bytes) {
  const MemoryFile file(bytes);
  const RowIds names = RowIds::listed({"a", "b", "q1", "doc-7"});
  const RowIds numbers = RowIds::numbers(50);
  for (const RowIds* ids : {&names, &numbers}) {
    result_or_error([&] { check(structhash::read_qrels(file.path(), *ids, *ids)); });
  }
  result_or_error([&] { RowIds::listed(read_ids(file.path())); });
}

void read_experiment(Bytes bytes) {
  const std::string text = text_of(bytes);
  result_or_error({Errc::usage}, [&] {
    const Experiment experiment = parse_experiment(text, "experiment.json");
    for (const ExperimentDataset& dataset : experiment.datasets) {
      expect(!dataset.name.empty() || text.find("\"name\"") != std::string::npos, "no name");
    }
  });
}

void read_results(Bytes bytes) {
  const std::string text = text_of(bytes);
  const MemoryFile file(bytes);
  result_or_error([&] {
    const ResultRow row = parse_row(text);
    const ResultRow again = parse_row(to_json(row));
    expect(again.dataset == row.dataset && again.params == row.params && again.bits == row.bits,
           "a result row is not the same after writing");
  });
  result_or_error([&] { load_rows(file.path()); });
  result_or_error([&] {
    const RowDetails details = parse_details(text, "details.json");
    parse_details(to_json(details), "details.json");
  });
  result_or_error([&] {
    ResultRow row;
    row.params = "{}";
    for (const ExpectedRow& expected : load_expected(file.path())) {
      expected.matches(row, /*usual=*/true);
    }
  });
}

}  // namespace structhash::fuzz
