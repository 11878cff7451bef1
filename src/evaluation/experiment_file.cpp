#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

#include "core/json_fields.hpp"
#include "core/suggest.hpp"
#include "core/text_file.hpp"
#include "evaluation/experiment_text.hpp"
#include "structhash/evaluation/experiment.hpp"
#include "structhash/relevance/builders.hpp"

namespace structhash {
namespace {

/// Names relative to the folder.  A name with a star becomes all files it matches, sorted by name;
/// it stays as it is if there are none, so that the error can name it.
std::vector<std::string> resolved(const std::vector<std::string>& names,
                                  const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const std::string& name : names) {
    const std::string pattern = (folder / name).lexically_normal().string();
    glob_t found{};
    if (glob(pattern.c_str(), GLOB_NOCHECK, nullptr, &found) == 0) {
      files.insert(files.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    globfree(&found);
  }
  return files;
}

GeneratedVectors read_generated(const JsonFields& fields) {
  GeneratedVectors shape;
  shape.rows = fields.get_or<Index>("rows", shape.rows);
  shape.dimension = fields.get_or<Index>("dimension", shape.dimension);
  shape.clusters = fields.get_or<Index>("clusters", shape.clusters);
  shape.seed = fields.get_or<std::uint64_t>("seed", shape.seed);
  fields.finish();
  return shape;
}

ExperimentDataset read_dataset(const JsonFields& fields) {
  ExperimentDataset dataset;
  dataset.name = fields.text("name");
  const auto files = [&](const char* name) {
    return fields.get_or<std::vector<std::string>>(name, {});
  };
  dataset.features = files("features");
  dataset.labels = files("labels");
  dataset.format = fields.get_or<std::string>("format", "");
  dataset.query_features = files("query_features");
  dataset.images = files("images");
  dataset.texts = files("texts");
  dataset.descriptor = fields.get_or<std::string>("descriptor", "");
  dataset.pixels = fields.get_or<std::vector<Index>>("pixels", {});
  dataset.train = fields.get_or<Index>("train", 0);
  if (fields.has("generate")) {
    dataset.generated = read_generated(fields.fields("generate"));
  }
  fields.finish();
  const int sources = (dataset.features.empty() ? 0 : 1) + (dataset.generated ? 1 : 0) +
                      (dataset.descriptor.empty() ? 0 : 1);
  if (sources != 1) {
    fields.fail("needs one of \"features\", \"descriptor\" (with \"images\") and \"generate\"");
  }
  constexpr std::array<std::string_view, 1> kDescriptors{"gist"};
  if (!dataset.descriptor.empty() && dataset.descriptor != kDescriptors.front()) {
    fields.fail(unknown_name("descriptor", dataset.descriptor, kDescriptors));
  }
  if (!dataset.pixels.empty() && dataset.pixels.size() != 2) {
    fields.fail("\"pixels\" must be [height, width]");
  }
  return dataset;
}

ExperimentMethod read_method(const JsonFields& fields) {
  ExperimentMethod method;
  method.method = fields.text("method");
  method.options.measure = fields.get_or<std::string>("measure", "");
  method.options.functions = fields.get_or<std::string>("functions", "");
  method.train = fields.get_or<Index>("train", 0);
  method.relevant = fields.get_or<Index>("relevant", 0);
  method.irrelevant = fields.get_or<Index>("irrelevant", 0);
  method.label_grades = fields.get_or<std::string>("label_grades", "shared");
  parse_label_grades(method.label_grades);
  method.datasets = fields.get_or<std::vector<std::string>>("datasets", {});
  method.options.extra = fields.rest_as_text();
  method.params = fields.text_without({"method", "datasets"});  // what it is, not where it runs
  return method;
}

void require_known(const JsonFields& fields, std::span<const std::string> names,
                   std::span<const ExperimentDataset> datasets) {
  std::vector<std::string_view> known(datasets.size());
  std::ranges::transform(datasets, known.begin(), &ExperimentDataset::name);
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) == known.end()) {
      fields.fail(unknown_name("data set", name, known));
    }
  }
}

RowPattern read_pattern(const JsonFields& fields) {
  RowPattern pattern;
  pattern.dataset = fields.get_or<std::string>("dataset", "");
  pattern.method = fields.get_or<std::string>("method", "");
  pattern.except = fields.get_or<std::string>("except", "");
  pattern.bits = fields.get_or<Index>("bits", 0);
  pattern.distance = fields.get_or<std::string>("distance", "weighted");
  pattern.options = fields.rest_as_text();
  return pattern;
}

Expectation read_expectation(const JsonFields& fields) {
  Expectation expectation;
  expectation.at_least = fields.get_or<std::map<std::string, double>>("at_least", {});
  expectation.within = fields.get_or<std::map<std::string, double>>("within", {});
  expectation.among = read_pattern(fields.fields("among"));
  expectation.rows = read_pattern(fields);
  if (expectation.among.dataset.empty()) {
    expectation.among.dataset = expectation.rows.dataset;
  }
  if (expectation.at_least.empty() && expectation.within.empty()) {
    fields.fail("needs \"at_least\" or \"within\"");
  }
  return expectation;
}

Protocol read_protocol(const JsonFields& fields) {
  Protocol protocol;
  protocol.queries = fields.get_or<Index>("queries", protocol.queries);
  protocol.train = fields.get_or<Index>("train", protocol.train);
  protocol.relevant = fields.get_or<Index>("relevant", protocol.relevant);
  protocol.irrelevant = fields.get_or<Index>("irrelevant", protocol.irrelevant);
  protocol.nearest = fields.get_or<double>("nearest", protocol.nearest);
  protocol.database = fields.get_or<std::string>("database", protocol.database);
  fields.finish();
  constexpr std::array<std::string_view, 2> kDatabases{"all", "without-training"};
  if (std::ranges::find(kDatabases, protocol.database) == kDatabases.end()) {
    fields.fail(unknown_name("database", protocol.database, kDatabases));
  }
  if (protocol.nearest < 0.0 || protocol.nearest >= 1.0) {
    fields.fail(fmt::format("\"nearest\" is a share of the items, at least 0 and below 1, got {}",
                            protocol.nearest));
  }
  return protocol;
}

}  // namespace

Experiment parse_experiment(std::string_view text, const std::string& path) {
  const JsonFields fields = JsonFields::parse(text, path, Errc::usage);
  Experiment experiment;
  for (const JsonFields& entry : fields.list("datasets")) {
    experiment.datasets.push_back(read_dataset(entry));
  }
  experiment.protocol = read_protocol(fields.fields("protocol"));
  for (const JsonFields& entry : fields.list("methods")) {
    experiment.methods.push_back(read_method(entry));
    require_known(entry, experiment.methods.back().datasets, experiment.datasets);
  }
  experiment.bits = fields.get_or<std::vector<Index>>("bits", {64});
  experiment.seeds = fields.get_or<std::vector<std::uint64_t>>("seeds", {1});
  experiment.measures = fields.get_or<std::vector<std::string>>(
      "measures", {"ndcg@100", "precision@100", "map", "pr-auc"});
  if (fields.has("expect")) {
    for (const JsonFields& entry : fields.list("expect")) {
      experiment.expectations.push_back(read_expectation(entry));
    }
  }
  fields.get_or<std::string>("about", "");  // free text for readers
  for (const ExperimentDataset& dataset : experiment.datasets) {
    if (!dataset.query_features.empty() && experiment.protocol.nearest == 0.0) {
      fields.fail(
          fmt::format("data set '{}' has \"query_features\", which have no labels; set the "
                      "relevant share in the protocol, for example \"nearest\": 0.02",
                      dataset.name));
    }
  }
  fields.finish();
  return experiment;
}

Experiment load_experiment(const std::string& path) {
  Experiment experiment = parse_experiment(read_text(path), path);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (ExperimentDataset& dataset : experiment.datasets) {
    for (auto* names : {&dataset.features, &dataset.labels, &dataset.query_features,
                        &dataset.images, &dataset.texts}) {
      *names = resolved(*names, folder);
    }
  }
  return experiment;
}

}  // namespace structhash
