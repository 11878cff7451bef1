#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <algorithm>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interrupts.hpp"
#include "judgments.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"
#include "structhash/relevance/builders.hpp"

namespace structhash::python {
namespace {

using namespace nb::literals;

nb::list method_table() {
  constexpr std::array<const char*, 3> kSupervision{"none", "labels", "lists"};
  nb::list result;
  for (const MethodEntry& entry : methods()) {
    nb::dict line;
    line["name"] = std::string(entry.name);
    line["summary"] = std::string(entry.summary);
    line["reference"] = std::string(entry.reference);
    line["supervision"] = kSupervision.at(static_cast<std::size_t>(entry.supervision));
    line["weighted"] = entry.distance == Distance::weighted;
    result.append(line);
  }
  return result;
}

struct SharedTrainingSet : TrainingSet {
  Index without_relevant = 0;
  Index without_irrelevant = 0;

  void take(BuiltLists built) {
    lists = std::move(built.lists);
    without_relevant = built.without_relevant;
    without_irrelevant = built.without_irrelevant;
  }
};

SharedTrainingSet make_training_set(const Rows<float>& x) {
  const nb::gil_scoped_release unlocked;
  SharedTrainingSet set;
  set.x = view(x);
  return set;
}

/// Lists whose queries are rows of the items: the library numbers queries behind the items; here
/// they take the row they are, and no list holds its own query.
BuiltLists with_query_rows(BuiltLists built, Index items, std::span<const std::int64_t> rows) {
  for (RelevanceList& list : built.lists) {
    list.query = rows[static_cast<std::size_t>(list.query - items)];
    std::erase(list.relevant, list.query);
    std::erase(list.irrelevant, list.query);
  }
  std::erase_if(built.lists, [](const RelevanceList& list) {
    return list.relevant.empty() || list.irrelevant.empty();
  });
  return built;
}

struct ListSizes {
  Index relevant;
  Index irrelevant;
};

void lists_from_labels(SharedTrainingSet& set, const ListSizes& sizes, std::uint64_t seed,
                       int threads) {
  set.take(structhash::lists_from_labels(
      set.labels, {.relevant = sizes.relevant, .irrelevant = sizes.irrelevant},
      Seed{seed}.fork("lists"), resolve_threads(threads)));
}

void lists_from_judgments(SharedTrainingSet& set, const Judgments& judgments,
                          std::span<const std::int64_t> rows, const ListSizes& sizes,
                          std::uint64_t seed, int threads) {
  const JudgedListOptions options{
      .lists = {.relevant = sizes.relevant, .irrelevant = sizes.irrelevant}};
  BuiltLists built = structhash::lists_from_judgments(judgments, options, Seed{seed}.fork("lists"),
                                                      resolve_threads(threads));
  set.take(rows.empty() ? std::move(built)
                        : with_query_rows(std::move(built), judgments.items, rows));
}

HashModel fit(const SharedTrainingSet& set, const std::string& method, const MethodOptions& options,
              std::uint64_t seed, int threads, nb::object progress) {
  ProgressRelay relay(std::move(progress));
  HashModel model;
  relay.run([&] {
    const auto hasher = find_method(method).make(options);
    model = hasher->fit(set, {.seed = Seed{seed},
                              .threads = {resolve_threads(threads), relay.stop()},
                              .on_progress = relay.callback()});
  });
  return model;
}

}  // namespace

void bind_training(nb::module_& module) {
  module.def("methods", &method_table, "The table of methods");
  nb::class_<SharedTrainingSet>(module, "TrainingSet", "A copy of the features, and supervision")
      .def_static("of", &make_training_set, "x"_a.noconvert())
      .def_ro("without_relevant", &SharedTrainingSet::without_relevant)
      .def_ro("without_irrelevant", &SharedTrainingSet::without_irrelevant)
      .def(
          "set_classes",
          [](SharedTrainingSet& set, const Values<int>& classes) {
            set.labels = {.classes = {view(classes).begin(), view(classes).end()}, .multi = {}};
          },
          "classes"_a.noconvert())
      .def(
          "set_multi_labels",
          [](SharedTrainingSet& set, const Rows<std::uint8_t>& labels) {
            set.labels = {.classes = {}, .multi = view(labels)};
          },
          "labels"_a.noconvert())
      .def(
          "lists_from_labels",
          [](SharedTrainingSet& set, Index relevant, Index irrelevant, std::uint64_t seed,
             int threads) { lists_from_labels(set, {relevant, irrelevant}, seed, threads); },
          "relevant"_a, "irrelevant"_a, "seed"_a, "threads"_a,
          nb::call_guard<nb::gil_scoped_release>())
      .def(
          "lists_from_judgments",
          [](SharedTrainingSet& set, const Judgments& judgments,
             const Values<std::int64_t>& query_rows, Index relevant, Index irrelevant,
             std::uint64_t seed, int threads) {
            require(query_rows.shape(0) == 0 || query_rows.shape(0) == judgments.queries.size(),
                    "there must be one query row for each judged query");
            lists_from_judgments(set, judgments, view(query_rows), {relevant, irrelevant}, seed,
                                 threads);
          },
          "judgments"_a, "query_rows"_a.noconvert(), "relevant"_a, "irrelevant"_a, "seed"_a,
          "threads"_a, nb::call_guard<nb::gil_scoped_release>());
  bind_judgments(module);
  module.def(
      "fit",
      [](const SharedTrainingSet& set, const std::string& method, Index bits,
         const std::string& measure, const std::string& functions,
         const std::map<std::string, std::string>& extra, std::uint64_t seed, int threads,
         nb::object progress) {
        return fit(set, method,
                   {.bits = bits, .measure = measure, .functions = functions, .extra = extra}, seed,
                   threads, std::move(progress));
      },
      "training_set"_a, "method"_a, "bits"_a, "measure"_a, "functions"_a, "extra"_a, "seed"_a,
      "threads"_a, "progress"_a.none(), "Learns a model; progress(stage, done, total, detail)");
}

}  // namespace structhash::python
