#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "structhash/data/dataset.hpp"
#include "structhash/data/sparse_rows.hpp"

/// Reads features and labels from common file formats (docs/data.md).  The name of a file decides
/// its format unless TableOptions names one; several files are read as one long table.
///
/// Every size that a file claims is checked against the size of the file before memory is
/// allocated. Errors name file, row and column (from 1): Errc::bad_data for invalid content,
/// corrupt_file for damaged or unsupported files, io for unreadable ones.
namespace structhash {

struct FormatInfo {
  std::string_view name;      // what --format takes
  std::string_view patterns;  // file names, separated by spaces
  std::string_view summary;
};

enum class Header { automatic, yes, no };

/// How files are read.  A column is the name in the header line or a number from 1; only csv files
/// have columns other than features.
struct TableOptions {
  std::string format{};  // empty: by file name
  Header header = Header::automatic;
  std::string label_column{};
  std::string id_column{};
  std::vector<std::string> dropped_columns{};
};

/// Every known format, in the order in which names are tried.
std::span<const FormatInfo> formats();

/// Reads rows from the first to the last in blocks, so that files larger than memory can be
/// encoded.
class FeatureReader {
 public:
  virtual ~FeatureReader() = default;
  virtual Index rows() const = 0;
  virtual Index dimension() const = 0;
  /// Fills `block` with the next rows, at most `max_rows`, all finite; returns how many, 0 at the
  /// end.
  virtual Index read(Index max_rows, Matrix<float>& block) = 0;
  /// Skips the next rows without reading them, at most `max_rows`; returns how many.  0 for text,
  /// compressed and column-major files, which must be read.
  virtual Index skip(Index max_rows) = 0;
};

/// `dimension` = 0 uses the dimension of the files.  Otherwise they must have it; libsvm files,
/// which omit zeros and may have fewer columns, are padded to it.
std::unique_ptr<FeatureReader> open_features(std::span<const std::string> files,
                                             const TableOptions& options = {}, Index dimension = 0);

/// Sparse rows of libsvm files, without making them dense; refuses other formats.
SparseRows load_sparse_features(std::span<const std::string> files,
                                const TableOptions& options = {});

/// The projections of such rows, block by block: a reader of projection.outputs() columns.  The
/// projection must outlive it.
std::unique_ptr<FeatureReader> open_projected(std::span<const std::string> files,
                                              const TableOptions& options,
                                              const SparseProjection& projection);

Matrix<float> load_features(std::span<const std::string> files, const TableOptions& options = {},
                            Index dimension = 0);

/// A file of integers or of text gives classes, a file of several 0/1 columns multi-labels.  From
/// files that hold features and labels (CIFAR, libsvm, csv with a label column) only the labels are
/// read.
Labels load_labels(std::span<const std::string> files, const TableOptions& options = {});

/// The labels inside feature files, without loading the features; empty unless all files hold some.
Labels load_labels_of_features(std::span<const std::string> files,
                               const TableOptions& options = {});

/// The column `options.id_column`; empty without one.
std::vector<std::string> load_ids(std::span<const std::string> files, const TableOptions& options);

/// What was taken as header, features, labels and ids: a line for every csv file.
std::vector<std::string> describe_columns(std::span<const std::string> files,
                                          const TableOptions& options);

struct LoadedTable {
  Matrix<float> features;
  Labels labels;                        // empty if the files hold none
  std::vector<std::int64_t> query_ids;  // libsvm "qid:", one per row, or empty
};

/// Everything the files hold.
LoadedTable load_table(std::span<const std::string> files, const TableOptions& options = {},
                       Index dimension = 0);

/// A checked data set.  Without label files, the labels are those inside the feature files.
Dataset load_dataset(std::span<const std::string> feature_files,
                     std::span<const std::string> label_files, std::string name,
                     const TableOptions& options = {}, const TableOptions& label_options = {});

}  // namespace structhash
