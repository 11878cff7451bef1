#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "core/json_text.hpp"
#include "core/text_file.hpp"
#include "evaluation/experiment_text.hpp"
#include "structhash/core/error.hpp"
#include "structhash/evaluation/experiment.hpp"

namespace structhash {
namespace {

using Json = nlohmann::ordered_json;

/// Reads fields of one object and refuses those it does not know: a misspelt field is a mistake.
class Fields {
 public:
  Fields(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) {
      wrong("must be an object");
    }
  }

  template <typename T>
  T get(const char* name, T missing) {
    seen_.emplace_back(name);
    const auto found = json_.find(name);
    if (found == json_.end()) {
      return missing;
    }
    try {
      if (WholeNumbers<T>::only(*found)) {
        return found->template get<T>();
      }
    } catch (const Json::exception&) {  // NOLINT(bugprone-empty-catch): said below
    }
    fail(Errc::usage, fmt::format("{}: \"{}\" has a value of the wrong kind", where_, name));
  }

  template <typename T>
  T needed(const char* name) {
    if (!json_.contains(name)) {
      fail(Errc::usage, fmt::format("{}: \"{}\" is missing", where_, name));
    }
    return get<T>(name, T{});
  }

  /// The fields nobody asked for so far.
  std::map<std::string, std::string> rest() const {
    std::map<std::string, std::string> rest;
    for (const auto& [name, value] : json_.items()) {
      if (std::ranges::find(seen_, name) == seen_.end()) {
        rest[name] = value.is_string() ? value.get<std::string>() : value.dump();
      }
    }
    return rest;
  }

  void finish() const {
    const auto unknown = rest();
    if (!unknown.empty()) {
      fail(Errc::usage,
           fmt::format("{}: \"{}\" is not a field of it", where_, unknown.begin()->first));
    }
  }

 private:
  [[noreturn]] void wrong(std::string_view what) const {
    fail(Errc::usage, fmt::format("{} {}", where_, what));
  }

  const Json& json_;
  std::string where_;
  std::vector<std::string> seen_;
};

/// Names relative to the folder; one with a star stands for all files it matches, in order of
/// their names, or for itself if there is none: the error then names it.
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

GeneratedVectors read_generated(const Json& json, const std::string& where) {
  Fields fields(json, where + " \"generate\"");
  GeneratedVectors shape;
  shape.rows = fields.get<Index>("rows", shape.rows);
  shape.dimension = fields.get<Index>("dimension", shape.dimension);
  shape.clusters = fields.get<Index>("clusters", shape.clusters);
  shape.seed = fields.get<std::uint64_t>("seed", shape.seed);
  fields.finish();
  return shape;
}

ExperimentDataset read_dataset(const Json& json, const std::string& where) {
  Fields fields(json, where + " \"datasets\"");
  ExperimentDataset dataset;
  dataset.name = fields.needed<std::string>("name");
  const auto files = [&](const char* name) {
    return fields.get<std::vector<std::string>>(name, {});
  };
  dataset.features = files("features");
  dataset.labels = files("labels");
  dataset.format = fields.get<std::string>("format", "");
  dataset.query_features = files("query_features");
  dataset.images = files("images");
  dataset.descriptor = fields.get<std::string>("descriptor", "");
  dataset.pixels = fields.get<std::vector<Index>>("pixels", {});
  if (json.contains("generate")) {
    dataset.generated = read_generated(fields.get<Json>("generate", Json::object()), where);
  }
  fields.finish();
  const int sources = (dataset.features.empty() ? 0 : 1) + (dataset.generated ? 1 : 0) +
                      (dataset.descriptor.empty() ? 0 : 1);
  require(sources == 1,
          fmt::format("{}: data set \"{}\" needs one of \"features\", \"descriptor\" (with "
                      "\"images\") and \"generate\"",
                      where, dataset.name));
  require(dataset.descriptor.empty() || dataset.descriptor == "gist",
          fmt::format("{}: \"descriptor\" can be \"gist\", not \"{}\"", where, dataset.descriptor));
  require(dataset.pixels.empty() || dataset.pixels.size() == 2,
          where + ": \"pixels\" are a height and a width");
  return dataset;
}

ExperimentMethod read_method(const Json& json, const std::string& where) {
  Fields fields(json, where + " \"methods\"");
  ExperimentMethod method;
  method.method = fields.needed<std::string>("method");
  method.options.measure = fields.get<std::string>("measure", "");
  method.options.functions = fields.get<std::string>("functions", "");
  method.train = fields.get<Index>("train", 0);
  method.relevant = fields.get<Index>("relevant", 0);
  method.irrelevant = fields.get<Index>("irrelevant", 0);
  method.datasets = fields.get<std::vector<std::string>>("datasets", {});
  method.options.extra = fields.rest();
  Json params = json;
  params.erase("method");
  params.erase("datasets");  // where it runs, not what it is
  method.params = params.dump();
  return method;
}

void require_known(std::span<const std::string> names, std::span<const ExperimentDataset> datasets,
                   const std::string& where) {
  for (const std::string& name : names) {
    require(
        std::ranges::find(datasets, name, &ExperimentDataset::name) != datasets.end(),
        fmt::format("{} \"methods\": there is no data set named '{}' in the file", where, name));
  }
}

RowPattern read_pattern(Fields& fields) {
  RowPattern pattern;
  pattern.dataset = fields.get<std::string>("dataset", "");
  pattern.method = fields.get<std::string>("method", "");
  pattern.except = fields.get<std::string>("except", "");
  pattern.bits = fields.get<Index>("bits", 0);
  pattern.distance = fields.get<std::string>("distance", "weighted");
  pattern.options = fields.rest();
  return pattern;
}

Expectation read_expectation(const Json& json, const std::string& where) {
  Fields fields(json, where + " \"expect\"");
  Expectation expectation;
  expectation.at_least = fields.get<std::map<std::string, double>>("at_least", {});
  expectation.within = fields.get<std::map<std::string, double>>("within", {});
  const Json among = fields.get<Json>("among", Json::object());
  expectation.rows = read_pattern(fields);
  Fields others(among, where + " \"among\"");
  expectation.among = read_pattern(others);
  if (expectation.among.dataset.empty()) {
    expectation.among.dataset = expectation.rows.dataset;
  }
  require(!expectation.at_least.empty() || !expectation.within.empty(),
          where + " \"expect\" needs \"at_least\" or \"within\"");
  return expectation;
}

Protocol read_protocol(const Json& json, const std::string& where) {
  Fields fields(json, where + " \"protocol\"");
  Protocol protocol;
  protocol.queries = fields.get<Index>("queries", protocol.queries);
  protocol.train = fields.get<Index>("train", protocol.train);
  protocol.relevant = fields.get<Index>("relevant", protocol.relevant);
  protocol.irrelevant = fields.get<Index>("irrelevant", protocol.irrelevant);
  protocol.nearest = fields.get<double>("nearest", protocol.nearest);
  fields.finish();
  require(protocol.nearest >= 0.0 && protocol.nearest < 1.0,
          where + ": \"nearest\" is a share of the items, such as 0.02");
  return protocol;
}

}  // namespace

Experiment parse_experiment(std::string_view text, const std::string& path) {
  const Json json = parse_json<Json>(text);
  if (json.is_discarded()) {
    fail(Errc::usage, path + ": is not valid JSON, or nested too deep");
  }
  Fields fields(json, path);
  Experiment experiment;
  for (const Json& entry : fields.needed<Json>("datasets")) {
    experiment.datasets.push_back(read_dataset(entry, path));
  }
  experiment.protocol = read_protocol(fields.get<Json>("protocol", Json::object()), path);
  for (const Json& entry : fields.needed<Json>("methods")) {
    experiment.methods.push_back(read_method(entry, path));
    require_known(experiment.methods.back().datasets, experiment.datasets, path);
  }
  experiment.bits = fields.get<std::vector<Index>>("bits", {64});
  experiment.seeds = fields.get<std::vector<std::uint64_t>>("seeds", {1});
  experiment.measures = fields.get<std::vector<std::string>>(
      "measures", {"ndcg@100", "precision@100", "map", "pr-auc"});
  for (const Json& entry : fields.get<Json>("expect", Json::array())) {
    experiment.expectations.push_back(read_expectation(entry, path));
  }
  fields.get<std::string>("about", "");  // free text for readers
  for (const ExperimentDataset& dataset : experiment.datasets) {
    require(dataset.query_features.empty() || experiment.protocol.nearest > 0.0,
            fmt::format("{}: data set \"{}\" has \"query_features\", which carry no labels; say in "
                        "the protocol which share is relevant: \"nearest\": 0.02",
                        path, dataset.name));
  }
  fields.finish();
  return experiment;
}

Experiment load_experiment(const std::string& path) {
  Experiment experiment = parse_experiment(read_text(path), path);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (ExperimentDataset& dataset : experiment.datasets) {
    for (auto* names :
         {&dataset.features, &dataset.labels, &dataset.query_features, &dataset.images}) {
      *names = resolved(*names, folder);
    }
  }
  return experiment;
}

}  // namespace structhash
