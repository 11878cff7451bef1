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

/// Feature and label files as the options of a command name them.
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

/// One label per row of the features; they may stand in the feature files themselves.
/// Throws Errc::bad_data when there are none or their number is wrong.
Labels read_labels(const DataFiles& files, Index rows);

/// Shows every chosen row, rows[place], in the order of the files.  What lies between two of them
/// is left unread where that saves something and the format allows it.
void visit_rows(FeatureReader& reader, std::span<const Index> rows,
                const std::function<void(std::size_t place, std::span<const float> values)>& take);

/// The chosen rows, in the order in which they are chosen.
Matrix<float> read_rows(FeatureReader& reader, std::span<const Index> rows);

/// Features block by block, so that files larger than memory can be read; `stage` is what progress
/// calls it.
void read_blocks(const DataFiles& files, Index dimension, const std::string& stage,
                 const ProgressCallback& on_progress,
                 const std::function<void(const MatrixView& block)>& take);

/// Encodes block by block, so that files larger than memory can be encoded; `take` gets the codes
/// of consecutive rows.
void encode_blocks(const HashModel& model, const DataFiles& files, int threads,
                   const ProgressCallback& on_progress,
                   const std::function<void(const CodeMatrix& codes)>& take);

/// All codes at once: needs memory for the codes, not for the features.
CodeMatrix encode_files(const HashModel& model, const DataFiles& files, int threads,
                        const ProgressCallback& on_progress);

}  // namespace structhash::cli
