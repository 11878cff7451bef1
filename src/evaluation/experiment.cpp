#include "structhash/evaluation/experiment.hpp"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "core/json_fields.hpp"
#include "structhash/core/version.hpp"

namespace structhash {
namespace {

OrderedJson to_json(const ExperimentDataset& dataset) {
  OrderedJson json{{"name", dataset.name},
                   {"features", dataset.features},
                   {"labels", dataset.labels},
                   {"format", dataset.format},
                   {"query_features", dataset.query_features},
                   {"train", dataset.train}};
  if (!dataset.descriptor.empty()) {
    json["described"] = {dataset.descriptor, dataset.images};
  }
  if (dataset.generated) {
    json["generated"] = {dataset.generated->rows, dataset.generated->dimension,
                         dataset.generated->clusters, dataset.generated->seed};
  }
  return json;
}

}  // namespace

std::vector<ExperimentCell> cells(const Experiment& experiment) {
  std::vector<ExperimentCell> all;
  for (const ExperimentDataset& dataset : experiment.datasets) {
    for (const ExperimentMethod& method : experiment.methods) {
      if (!method.datasets.empty() &&
          std::ranges::find(method.datasets, dataset.name) == method.datasets.end()) {
        continue;
      }
      for (const Index bits : experiment.bits) {
        for (const std::uint64_t seed : experiment.seeds) {
          all.push_back({&dataset, &method, bits, seed});
        }
      }
    }
  }
  return all;
}

Index train_rows(const Experiment& experiment, const ExperimentCell& cell) {
  const Index common = cell.dataset->train > 0 ? cell.dataset->train : experiment.protocol.train;
  return cell.method->train > 0 ? cell.method->train : common;
}

std::string config_hash(const Experiment& experiment, const ExperimentCell& cell) {
  const Protocol& protocol = experiment.protocol;
  const OrderedJson config{{"dataset", to_json(*cell.dataset)},
                           {"queries", protocol.queries},
                           {"train", protocol.train},
                           {"relevant", protocol.relevant},
                           {"irrelevant", protocol.irrelevant},
                           {"nearest", protocol.nearest},
                           {"database", protocol.database},
                           {"method", cell.method->method},
                           {"params", cell.method->params},
                           {"bits", cell.bits},
                           {"seed", cell.seed},
                           {"measures", experiment.measures},
                           {"version", code_version()}};
  const std::string text = config.dump();
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

bool belongs(const ResultRow& row, const ExperimentCell& cell) {
  return row.dataset == cell.dataset->name && row.method == cell.method->method &&
         row.params == cell.method->params && row.bits == cell.bits && row.seed == cell.seed;
}

}  // namespace structhash
