#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "structhash/core/parallel.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/evaluation/result_row.hpp"
#include "structhash/hashing/method_options.hpp"

/// A grid of data sets, methods, bits and seeds under one protocol, and its result rows.
namespace structhash {

/// Synthetic vectors: a mixture of Gaussians whose variance falls with the column, as in image
/// descriptors.  With s_j = 1 / sqrt(1 + j / 8) for column j = 0, 1, ... and z standard normal,
///
///   centre c:  s_j z_cj            row i of cluster c:  s_j z_cj + s_j z_ij
///
/// The cluster of a row is drawn uniformly.
struct GeneratedVectors {
  Index rows = 1'000'000;
  Index dimension = 128;
  Index clusters = 100;
  std::uint64_t seed = 1;
};

struct ExperimentDataset {
  std::string name;
  std::vector<std::string> features;
  std::vector<std::string> labels;
  std::string format;                         // empty: by file name
  std::vector<std::string> query_features;    // empty: queries are rows of the features
  std::optional<GeneratedVectors> generated;  // in place of files
  std::vector<std::string> images;            // pictures of the rows
  std::vector<std::string> texts;             // texts of the rows
  std::string descriptor;                     // "gist": features are computed from the images
  std::vector<Index> pixels;                  // height and width, where rows are pictures
  Index train = 0;                            // training rows; 0: the protocol's
};

struct ExperimentMethod {
  std::string method;
  MethodOptions options;                // bits come from the grid
  Index train = 0;                      // training rows; 0: those of the data set
  Index relevant = 0;                   // of a list; 0: the protocol's
  Index irrelevant = 0;                 // likewise
  std::string label_grades = "shared";  // relevance/builders.hpp
  std::vector<std::string> datasets;    // names; empty: all
  std::string params;                   // as written in the file: a JSON object
};

struct Protocol {
  Index queries = 2000;
  Index train = 2000;
  Index relevant = 50;
  Index irrelevant = 50;
  double nearest = 0.0;  // relevant is this share of the items, by l2 distance; 0: by labels
  std::string database = "all";  // or "without-training"; the paper keeps training rows in
};

/// Selects result rows.  Empty names and zero bits match anything, an empty distance any distance
/// between codes: not adaptive, which compares vectors with codes.
struct RowPattern {
  std::string dataset;
  std::string method;                          // name
  std::string except;                          // any method but this one
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

/// Throws before any cell runs what would fail or mislead later: a data set, measure, bits, seed or
/// method given twice; unknown methods and measures; options out of range; files that cannot be
/// read, have no labels or too few rows; expectations that no row can match.  Reads heads and
/// labels of the files.
void check(const Experiment& experiment);

/// One cell of the grid.
struct ExperimentCell {
  const ExperimentDataset* dataset = nullptr;
  const ExperimentMethod* method = nullptr;
  Index bits = 0;
  std::uint64_t seed = 0;
};

std::vector<ExperimentCell> cells(const Experiment& experiment);
/// Training rows of the cell: those of its method, else of its data set, else of the protocol.
Index train_rows(const Experiment& experiment, const ExperimentCell& cell);
/// A hash of all that the rows of the cell depend on, the version of the code included.
std::string config_hash(const Experiment& experiment, const ExperimentCell& cell);
/// True if the row is one of the cell.  If its hash differs, other code or settings made it.
bool belongs(const ResultRow& row, const ExperimentCell& cell);

struct ExperimentData;  // a data set in memory
std::shared_ptr<const ExperimentData> load_data(const ExperimentDataset& dataset, int threads);

/// Trains the method of the cell and evaluates it; `data` is the loaded data set of the cell.
/// One row per distance.
std::vector<DetailedRow> run_cell(const ExperimentData& data, const Experiment& experiment,
                                  const ExperimentCell& cell, Threads threads,
                                  const ProgressCallback& on_progress);

/// One expectation compared with the means over seeds of the rows it matches.
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
