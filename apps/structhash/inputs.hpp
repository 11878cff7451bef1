#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "command.hpp"
#include "structhash/codes/code_matrix.hpp"
#include "structhash/core/progress.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/data/split.hpp"
#include "structhash/hashing/model.hpp"

/// The feature and label files of a command.
namespace structhash::cli {

struct DataFiles {
  std::vector<std::string> features;
  std::vector<std::string> labels;
  std::string format;        // empty: by file name
  std::string label_format;  // empty: by file name
};

/// --features (required), --format.
void add_feature_options(Command& command, DataFiles& files);
/// --labels, --label-format.
void add_label_options(Command& command, DataFiles& files);

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
