#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// A grid of data sets, methods, bits and seeds under one protocol, and the rows it gives.
namespace structhash {

struct ResultRow;

struct ExperimentDataset {
  std::string name;
  std::vector<std::string> features;
  std::vector<std::string> labels;
  std::string format;  // empty: by file name
};

struct ExperimentMethod {
  std::string method;
  MethodOptions options;              // bits come from the grid
  Index train = 0;                    // training rows; 0: the protocol's
  std::vector<std::string> datasets;  // names; empty: all
  std::string params;                 // as written in the file: a JSON object
};

struct Protocol {
  Index queries = 2000;
  Index train = 2000;
  Index relevant = 50;
  Index irrelevant = 50;
};

/// Which result rows are meant.  Empty names and zero bits match anything.
struct RowPattern {
  std::string dataset;
  std::string method;                          // name
  std::map<std::string, std::string> options;  // a part of the method's parameters
  Index bits = 0;
  std::string distance = "weighted";

  bool matches(const ResultRow& row) const;
};

/// What the mean over seeds of some rows must reach: given values, or, in `within`, the best mean
/// of the other rows less a margin.  Both by measure.
struct Expectation {
  RowPattern rows;
  std::map<std::string, double> at_least;
  std::map<std::string, double> within;
  RowPattern among;
};

struct Experiment {
  std::vector<ExperimentDataset> datasets;
  Protocol protocol;
  std::vector<ExperimentMethod> methods;
  std::vector<Index> bits;
  std::vector<std::uint64_t> seeds;
  std::vector<std::string> measures;
  std::vector<Expectation> expectations;
};

/// Reads an experiment file; paths in it are relative to the file's folder.
/// Errors are Errc::usage and name the file and the field.
Experiment load_experiment(const std::string& path);

struct ResultRow {
  std::string dataset;
  std::string method;
  std::string params;  // JSON object
  Index bits = 0;
  std::uint64_t seed = 0;
  std::string distance;  // "weighted", "hamming" or a name of own_distance
  std::vector<std::pair<std::string, double>> measures;
  double train_seconds = 0.0;
  double encode_seconds = 0.0;
  std::string version;
  std::string config_hash;  // of everything that decides the row, the version of the code included
};

std::string to_json(const ResultRow& row);  // one line
ResultRow parse_row(std::string_view line);

/// One cell of the grid.
struct ExperimentCell {
  const ExperimentDataset* dataset = nullptr;
  const ExperimentMethod* method = nullptr;
  Index bits = 0;
  std::uint64_t seed = 0;
};

std::vector<ExperimentCell> cells(const Experiment& experiment);
std::string config_hash(const Experiment& experiment, const ExperimentCell& cell);

/// Runs cells one after the other, keeping the last data set in memory.
class ExperimentRunner {
 public:
  ExperimentRunner(const Experiment& experiment, int threads, ProgressCallback on_progress);
  /// A row per distance: weighted for a model with bit weights, plain Hamming, and the method's own
  /// if it has one.
  std::vector<ResultRow> run(const ExperimentCell& cell);

 private:
  const Experiment& experiment_;
  int threads_;
  ProgressCallback on_progress_;
  const ExperimentDataset* loaded_ = nullptr;
  Dataset data_;
};

/// One expectation held against the means over seeds of the rows it matches.
struct Verdict {
  const Expectation* expectation = nullptr;
  std::string measure;
  double reached = 0.0;
  double wanted = 0.0;
  Index seeds = 0;  // 0: no row matches
  bool passed() const { return seeds > 0 && reached >= wanted; }
};
std::vector<Verdict> judge(const Experiment& experiment, std::span<const ResultRow> rows);

}  // namespace structhash
