#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "command.hpp"
#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/data/split.hpp"
#include "structhash/hashing/model.hpp"
#include "structhash/relevance/judgments.hpp"

/// The feature and label files of a command.
namespace structhash::cli {

struct DataFiles {
  std::vector<std::string> features;
  std::vector<std::string> labels;
  TableOptions table;        // of the feature files, and of the label files where they fit
  std::string label_format;  // empty: by file name
  std::string ids;           // file of the ids of the rows; empty: none
  /// Sparse features are read through it; none: features are dense.
  std::shared_ptr<const SparseProjection> projection{};

  /// Without the label column where there are label files: it is a column of these.
  TableOptions feature_options() const;
  TableOptions label_options() const;
};

/// --features (required), and how they are read.
void add_feature_options(Command& command, DataFiles& files);
/// --format, --header, --id-column, --drop-columns.
void add_table_options(Command& command, TableOptions& table);
/// --labels, --label-format, --label-column; `help` explains --labels.
void add_label_options(Command& command, DataFiles& files, const std::string& help);
inline constexpr const char* kLabelHelp =
    "Classes, numbers or text, or a 0/1 matrix of labels; not needed if the feature files hold "
    "them";

/// Says what was taken as header, labels and ids: a line on stderr for every csv file.
void note_columns(const DataFiles& files);

/// The dense features, or the projections of sparse ones.
std::unique_ptr<FeatureReader> open_features(const DataFiles& files, Index dimension = 0);
Matrix<float> load_features(const DataFiles& files, Index dimension = 0);

/// Whether the files can be read with so many columns: libsvm files may have fewer.
bool fits(const DataFiles& files, Index dimension);

/// Moves the projection of a model to the files that are read for it: the model then takes what
/// these give.
void read_through_projection(HashModel& model, std::initializer_list<DataFiles*> files);

/// Ids of the rows: of the file `ids`, one per line, else of the id column, else numbers from 1.
RowIds row_ids(const DataFiles& files, Index rows);

/// The judgments of these queries alone, in their order.
Judgments of_queries(const Judgments& judgments, const std::vector<Index>& queries);

/// One label per row of the features, from label files or from the feature files; never loads the
/// features.  Throws Errc::bad_data if there are none or their number is wrong.
Labels read_labels(const DataFiles& files, Index rows);

/// Calls `take` with every chosen row, rows[place], in file order.  Skips the rows between them
/// where the format allows it and that saves time.
void visit_rows(FeatureReader& reader, std::span<const Index> rows,
                const std::function<void(std::size_t place, std::span<const float> values)>& take);

/// The chosen rows, in the order of `rows`.
Matrix<float> read_rows(FeatureReader& reader, std::span<const Index> rows);

/// Features block by block, so that files larger than memory can be read; `stage` names the work in
/// progress reports.  Blocks are finite: the reader has checked them.
void read_blocks(const DataFiles& files, Index dimension, const std::string& stage,
                 const ProgressCallback& on_progress,
                 const std::function<void(const MatrixView& block)>& take);

/// Encodes block by block, so that files larger than memory can be encoded; `take` gets the codes
/// of consecutive rows.
void encode_blocks(const HashModel& model, const DataFiles& files, int threads,
                   const ProgressCallback& on_progress,
                   const std::function<void(const CodeMatrix& codes)>& take);

struct EncodedFiles {
  CodeMatrix codes;
  std::vector<RowMatch> matches;  // of the rows with the training rows of the model
};

/// All codes at once: needs memory for the codes, not for the features.
EncodedFiles encode_files(const HashModel& model, const DataFiles& files, int threads,
                          const ProgressCallback& on_progress);

}  // namespace structhash::cli
