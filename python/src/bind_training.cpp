#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <string_view>

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

nb::str text(std::string_view value) {
  return nb::str(value.data(), value.size());
}

nb::dict option_row(const OptionInfo& option) {
  nb::list functions;
  for (const std::string_view name : option.functions) {
    functions.append(text(name));
  }
  nb::dict presets;
  for (const auto& [name, value] : option.presets) {
    presets[text(name)] = value;
  }
  nb::dict row;
  row["name"] = text(option.name);
  row["type"] = text(option.type);
  row["default"] = option.default_value;
  row["allowed"] = option.allowed;
  row["functions"] = functions;
  row["presets"] = presets;
  row["help"] = text(option.help);
  return row;
}

/// The fields of `structhash methods --json` that the package needs; defaults are texts.
nb::list method_table() {
  constexpr std::array<const char*, 3> kSupervision{"none", "labels", "lists"};
  nb::list result;
  for (const MethodEntry& entry : structhash::methods()) {
    nb::dict row;
    row["name"] = text(entry.name);
    row["summary"] = text(entry.summary);
    row["reference"] = text(entry.reference);
    row["supervision"] = kSupervision.at(static_cast<std::size_t>(entry.supervision));
    row["distance"] = entry.distance == Distance::weighted ? "weighted" : "hamming";
    row["multi_labels"] = entry.multi_labels;
    row["checkpoints"] = entry.checkpoints;
    row["nested"] = entry.nested;
    nb::list options;
    for (const OptionInfo& option : entry.options()) {
      options.append(option_row(option));
    }
    row["options"] = options;
    result.append(row);
  }
  return result;
}

struct SharedTrainingSet : TrainingSet {
  Index without_relevant = 0;
  Index without_irrelevant = 0;

  void set_lists(BuiltLists built) {
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

/// For queries that are rows of the items.  The library numbers queries after the items; here each
/// query gets its row number among the items, and is removed from its own list.
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

void lists_from_labels(SharedTrainingSet& set, const ListSizes& sizes, const std::string& grades,
                       std::uint64_t seed, int threads, Index items) {
  set.set_lists(structhash::lists_from_labels(set.labels,
                                              {.relevant = sizes.relevant,
                                               .irrelevant = sizes.irrelevant,
                                               .items = items,
                                               .grades = parse_label_grades(grades)},
                                              Seed{seed}.fork("lists"), resolve_threads(threads)));
}

void lists_from_judgments(SharedTrainingSet& set, const Judgments& judgments,
                          std::span<const std::int64_t> rows, const ListSizes& sizes,
                          std::uint64_t seed, int threads) {
  const JudgedListOptions options{
      .lists = {.relevant = sizes.relevant, .irrelevant = sizes.irrelevant}};
  BuiltLists built = structhash::lists_from_judgments(judgments, options, Seed{seed}.fork("lists"),
                                                      resolve_threads(threads));
  set.set_lists(rows.empty() ? std::move(built)
                             : with_query_rows(std::move(built), judgments.items, rows));
}

/// Multiplies the weights of a query's lists by weights[query - first]; weight 0 drops the lists.
void weight_lists(SharedTrainingSet& set, std::span<const double> weights, Index first) {
  for (RelevanceList& list : set.lists) {
    const Index query = list.query - first;
    require(query >= 0 && query < std::ssize(weights), "every query needs a weight");
    list.weight *= weights[static_cast<std::size_t>(query)];
  }
  std::erase_if(set.lists, [](const RelevanceList& list) { return list.weight == 0.0; });
}

HashModel fit(const SharedTrainingSet& set, const std::string& method, const MethodOptions& options,
              std::uint64_t seed, int threads, nb::object progress, const std::string& checkpoint) {
  ProgressRelay relay(std::move(progress));
  HashModel model;
  relay.run([&] {
    const auto hasher = find_method(method).make(options);
    model = hasher->fit(set, {.seed = Seed{seed},
                              .threads = {resolve_threads(threads), relay.stop()},
                              .on_progress = relay.callback(),
                              .checkpoint = checkpoint,
                              .checkpoint_every_bit = false});
  });
  return model;
}

}  // namespace

void bind_training(nb::module_& module) {
  module.def("methods", &method_table, "The table of methods");
  nb::class_<SharedTrainingSet>(module, "TrainingSet",
                                "A copy of the features, and their supervision")
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
             int threads, const std::string& label_grades, Index items) {
            lists_from_labels(set, {relevant, irrelevant}, label_grades, seed, threads, items);
          },
          "relevant"_a, "irrelevant"_a, "seed"_a, "threads"_a, "label_grades"_a, "items"_a = 0,
          nb::call_guard<nb::gil_scoped_release>(),
          "items: rows from this one on are queries; 0: every row is both")
      .def(
          "set_queries",
          [](SharedTrainingSet& set, const Rows<float>& queries) { set.queries = view(queries); },
          "queries"_a.noconvert(), "Queries of another kind: rows after those of the features")
      .def(
          "lists_from_judgments",
          [](SharedTrainingSet& set, const Judgments& judgments,
             const Values<std::int64_t>& query_rows, Index relevant, Index irrelevant,
             std::uint64_t seed, int threads) {
            require(query_rows.shape(0) == 0 || query_rows.shape(0) == judgments.queries.size(),
                    "query_rows must have one row number for each judged query");
            lists_from_judgments(set, judgments, view(query_rows), {relevant, irrelevant}, seed,
                                 threads);
          },
          "judgments"_a, "query_rows"_a.noconvert(), "relevant"_a, "irrelevant"_a, "seed"_a,
          "threads"_a, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "weight_lists",
          [](SharedTrainingSet& set, const Values<double>& weights, Index first) {
            weight_lists(set, view(weights), first);
          },
          "weights"_a.noconvert(), "first"_a,
          "Multiplies the weights of a query's lists by weights[query - first]; 0 drops them")
      .def_prop_ro("lists", [](const SharedTrainingSet& set) { return set.lists.size(); });
  bind_judgments(module);
  module.def(
      "fit",
      [](const SharedTrainingSet& set, const std::string& method, Index bits,
         const std::map<std::string, std::string>& options, std::uint64_t seed, int threads,
         nb::object progress, const std::string& checkpoint) {
        return fit(set, method, {.bits = bits, .extra = options}, seed, threads,
                   std::move(progress), checkpoint);
      },
      "training_set"_a, "method"_a, "bits"_a, "options"_a, "seed"_a, "threads"_a,
      "progress"_a.none(), "checkpoint"_a = "",
      "Trains a model; progress(stage, done, total, detail).  If the file `checkpoint` exists, "
      "training continues from it; its end is written there.");
}

}  // namespace structhash::python
