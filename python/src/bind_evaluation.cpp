#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interrupts.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/evaluation/curves.hpp"
#include "structhash/evaluation/evaluate.hpp"
#include "structhash/ranking/measures.hpp"

namespace structhash::python {
namespace {

using namespace nb::literals;

struct CodePair {  // the codes of a database and of queries
  CodeMatrix database;
  CodeMatrix queries;
  std::vector<float> weights;

  CodePair(const Rows<std::uint8_t>& database_bytes, const Rows<std::uint8_t>& query_bytes,
           Index bits, const std::optional<Values<float>>& bit_weights)
      : database(PackedCodes(database_bytes, bits).matrix()),
        queries(PackedCodes(query_bytes, bits).matrix()) {
    if (bit_weights) {
      weights.assign(view(*bit_weights).begin(), view(*bit_weights).end());
    }
  }
};

nb::tuple to_tuple(Evaluation found) {
  const auto rows = static_cast<std::size_t>(found.per_query.rows());
  const auto columns = static_cast<std::size_t>(found.per_query.cols());
  return nb::make_tuple(found.measures, found.means,
                        to_numpy<double>(std::move(found.per_query), {rows, columns}),
                        found.queries_without_relevant);
}

template <typename Evaluate>
nb::tuple evaluated(const std::string& ties, int threads, const Evaluate& evaluate_with) {
  ProgressRelay relay{nb::none()};
  Evaluation found;
  relay.run([&] {
    found = evaluate_with(EvaluationOptions{.ties = parse_ties(ties),
                                            .threads = resolve_threads(threads),
                                            .on_progress = relay.callback()});
  });
  return to_tuple(std::move(found));
}

nb::tuple evaluate_distance_rows(const Rows<double>& distances, const GroundTruth& truth,
                                 const std::vector<std::string>& measures, const std::string& ties,
                                 int threads) {
  const auto all = view(distances);
  require(truth.queries() == all.rows() && truth.items() == all.cols(),
          "relevance and distances must have the same shape, queries x items");
  return evaluated(ties, threads, [&](const EvaluationOptions& options) {
    return evaluate_rankings(
        [&](Index query, std::span<double> row) {
          std::copy_n(all.row(query).data(), row.size(), row.begin());
        },
        truth, measures, options);
  });
}

nb::dict curves(const CodePair& codes, const GroundTruth& truth, int threads) {
  ProgressRelay relay{nb::none()};
  Curves found;
  relay.run([&] {
    found = evaluate_curves(codes.database, codes.queries, codes.weights, truth, {},
                            {.threads = resolve_threads(threads), .on_progress = relay.callback()});
  });
  nb::dict result;
  result["recall"] = found.recall_levels;
  result["precision_at_recall"] = found.precision_at_recall;
  result["ranks"] = found.ranks;
  result["precision_at_rank"] = found.precision_at_rank;
  result["recall_at_rank"] = found.recall_at_rank;
  return result;
}

Labels classes_of(const Values<int>& classes) {
  return {.classes = {view(classes).begin(), view(classes).end()}, .multi = {}};
}

nb::list measure_names() {
  nb::list names;
  for (const MeasureEntry& measure : measures()) {
    names.append(std::string(measure.name));
  }
  return names;
}

}  // namespace

void bind_evaluation(nb::module_& module) {
  nb::class_<GroundTruth>(module, "GroundTruth", "Which items are relevant to which query")
      .def_static(
          "from_classes",
          [](const Values<int>& queries, const Values<int>& database) {
            return GroundTruth::from_labels(classes_of(queries), classes_of(database));
          },
          "queries"_a.noconvert(), "database"_a.noconvert())
      .def_static(
          "from_multi_labels",
          [](const Rows<std::uint8_t>& queries, const Rows<std::uint8_t>& database) {
            return GroundTruth::from_labels({.classes = {}, .multi = view(queries)},
                                            {.classes = {}, .multi = view(database)});
          },
          "queries"_a.noconvert(), "database"_a.noconvert())
      .def_static("from_judgments", &GroundTruth::from_judgments, "judgments"_a,
                  nb::call_guard<nb::gil_scoped_release>());
  module.def("evaluation_measures", &measure_names);
  module.def(
      "evaluate_codes",
      [](const Rows<std::uint8_t>& database, const Rows<std::uint8_t>& queries, Index bits,
         const std::optional<Values<float>>& weights, const GroundTruth& truth,
         const std::vector<std::string>& measures, const std::string& ties, int threads,
         const std::optional<Rows<float>>& values) {
        const CodePair codes(database, queries, bits, weights);
        const Matrix<float> per_query = values ? Matrix<float>(view(*values)) : Matrix<float>();
        const BitWeights bit_weights =
            values ? BitWeights::of_queries(per_query) : BitWeights(codes.weights);
        return evaluated(ties, threads, [&](const EvaluationOptions& options) {
          return evaluate(codes.database, codes.queries, bit_weights, truth, measures, options);
        });
      },
      "database"_a.noconvert(), "queries"_a.noconvert(), "bits"_a, "weights"_a.noconvert().none(),
      "truth"_a, "measures"_a, "ties"_a, "threads"_a, "values"_a.noconvert().none() = nb::none(),
      "values: weights of every query, in place of weights; returns "
      "(measures, means, value per query, queries without a relevant item)");
  module.def("evaluate_distances", &evaluate_distance_rows, "distances"_a.noconvert(), "truth"_a,
             "measures"_a, "ties"_a, "threads"_a);
  module.def(
      "curves",
      [](const Rows<std::uint8_t>& database, const Rows<std::uint8_t>& queries, Index bits,
         const std::optional<Values<float>>& weights, const GroundTruth& truth,
         int threads) { return curves({database, queries, bits, weights}, truth, threads); },
      "database"_a.noconvert(), "queries"_a.noconvert(), "bits"_a, "weights"_a.noconvert().none(),
      "truth"_a, "threads"_a);
}

}  // namespace structhash::python
