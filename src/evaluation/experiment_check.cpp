#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <tuple>

#include "core/suggest.hpp"
#include "evaluation/experiment_data.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/core/error.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/data/split.hpp"
#include "structhash/evaluation/experiment.hpp"
#include "structhash/ranking/measures.hpp"

namespace structhash {
namespace {

template <typename Values, typename Key>
void require_distinct(const Values& values, std::string_view what, Key key) {
  std::set<std::decay_t<decltype(key(*values.begin()))>> seen;
  for (const auto& value : values) {
    require(seen.insert(key(value)).second,
            fmt::format("the experiment has {} {} twice; remove one", what, key(value)));
  }
}

/// Without its bits, which come from the grid.
auto settings(const ExperimentMethod& method) {
  return std::tie(method.method, method.options.measure, method.options.functions,
                  method.options.extra, method.train, method.relevant, method.irrelevant,
                  method.label_grades);
}

/// Two entries of a method may differ by their data sets alone, if these are different ones.
void require_distinct_methods(const Experiment& experiment) {
  std::vector<ExperimentCell> all = cells(experiment);
  std::erase_if(all, [&](const ExperimentCell& cell) {
    return cell.bits != experiment.bits.front() || cell.seed != experiment.seeds.front();
  });
  for (auto a = all.begin(); a != all.end(); ++a) {
    for (auto b = a + 1; b != all.end(); ++b) {
      require(a->dataset != b->dataset || settings(*a->method) != settings(*b->method),
              fmt::format("the experiment has method {} {} twice for data set {}; remove one",
                          a->method->method, a->method->params, a->dataset->name));
    }
  }
}

void check_names(const Experiment& experiment) {
  const auto as_it_is = [](const auto& value) { return value; };
  require_distinct(experiment.datasets, "data set",
                   [](const ExperimentDataset& dataset) { return dataset.name; });
  require_distinct(experiment.measures, "measure",
                   [](const std::string& name) { return parse_measure(name).name(); });
  require_distinct(experiment.bits, "bits", as_it_is);
  require_distinct(experiment.seeds, "seed", as_it_is);
  require(!experiment.bits.empty() && !experiment.seeds.empty() && !experiment.measures.empty(),
          "the experiment has an empty list of bits, seeds or measures");
}

void check_methods(const Experiment& experiment) {
  for (const ExperimentMethod& method : experiment.methods) {
    for (const Index bits : experiment.bits) {
      MethodOptions options = method.options;
      options.bits = bits;
      find_method(method.method).make(options);
    }
  }
  require_distinct_methods(experiment);
}

void check_pattern(const Experiment& experiment, const RowPattern& pattern) {
  std::vector<std::string_view> datasets(experiment.datasets.size());
  std::ranges::transform(experiment.datasets, datasets.begin(), &ExperimentDataset::name);
  std::vector<std::string_view> methods(experiment.methods.size());
  std::ranges::transform(experiment.methods, methods.begin(), &ExperimentMethod::method);
  const auto known = [](const std::vector<std::string_view>& names, const std::string& name,
                        std::string_view what) {
    require(name.empty() || std::ranges::find(names, name) != names.end(),
            "\"expect\": " + unknown_name(what, name, names));
  };
  known(datasets, pattern.dataset, "data set");
  known(methods, pattern.method, "method");
}

void check_expectations(const Experiment& experiment) {
  const std::vector<std::string_view> measures(experiment.measures.begin(),
                                               experiment.measures.end());
  for (const Expectation& expectation : experiment.expectations) {
    check_pattern(experiment, expectation.rows);
    check_pattern(experiment, expectation.among);
    for (const auto* wanted : {&expectation.at_least, &expectation.within}) {
      for (const auto& [measure, value] : *wanted) {
        require(std::ranges::find(measures, measure) != measures.end(),
                "\"expect\": " + unknown_name("measure", measure, measures));
      }
    }
  }
}

void require_files(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    require(std::filesystem::exists(file), file + ": does not exist");
  }
}

/// Rows of the data set; 0: not known before its images are read.
Index check_files(const ExperimentDataset& dataset, bool needs_labels) {
  require_files(dataset.images);
  if (!dataset.query_features.empty()) {
    open_features(dataset.query_features, {.format = dataset.format});
  }
  Labels labels = dataset.labels.empty() ? Labels{} : load_labels(dataset.labels);
  if (!dataset.descriptor.empty()) {
    return 0;
  }
  const Index rows = dataset.generated
                         ? dataset.generated->rows
                         : open_features(dataset.features, {.format = dataset.format})->rows();
  if (labels.empty() && needs_labels && !dataset.generated) {
    labels = load_labels_of_features(dataset.features, {.format = dataset.format});
  }
  require(
      !needs_labels || !labels.empty(),
      fmt::format("data set {} has no labels; name them in \"labels\", or set \"nearest\" in the "
                  "protocol",
                  dataset.name));
  require(labels.empty() || labels.size() == rows,
          fmt::format("data set {} has {} labels for {} rows", dataset.name, labels.size(), rows));
  load_texts(dataset, rows);
  return rows;
}

}  // namespace

void check(const Experiment& experiment) {
  check_names(experiment);
  check_methods(experiment);
  check_expectations(experiment);
  const Protocol& protocol = experiment.protocol;
  for (const ExperimentDataset& dataset : experiment.datasets) {
    const Index rows = check_files(dataset, protocol.nearest == 0.0);
    const Index queries = dataset.query_features.empty() ? protocol.queries : 0;
    for (const ExperimentCell& cell : cells(experiment)) {
      if (rows > 0 && cell.dataset == &dataset) {
        const Index train = train_rows(experiment, cell);
        require(queries < rows && train <= rows - queries,
                fmt::format("data set {} has {} rows, too few for {} queries and {} training rows",
                            dataset.name, rows, queries, train));
      }
    }
  }
}

}  // namespace structhash
