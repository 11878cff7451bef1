#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/text_labels.hpp"
#include "structhash/core/types.hpp"
#include "structhash/data/sparse_rows.hpp"

namespace structhash::data {

/// How the columns of a row make up an image of bytes: pixel (y, x) of channel c is column
/// y * y_step + x * x_step + c * channel_step.  Height 0: no image.
struct ImageLayout {
  Index height = 0;
  Index width = 0;
  Index channels = 1;
  Index y_step = 0;
  Index x_step = 0;
  Index channel_step = 0;
};

struct TableShape {
  Index rows = 0;
  Index columns = 0;         // features per row
  Index label_columns = 0;   // numbers per row that read_labels gives
  bool is_list = false;      // one-dimensional: n values, usable as labels only
  bool text_labels = false;  // one label a row, read by read_label_text
  bool is_sparse = false;    // zeros are omitted: the table may be wider than `columns`
  /// Labels beside the features; otherwise the whole file can be labels.
  bool carries_labels = false;
  ImageLayout image;
};

/// One open file.  Features and labels are read from the first row to the last, independently of
/// each other.  A reader checks its format (rows of unequal length, words for numbers); its caller
/// checks finite features and integer labels once, for all formats.
class TableReader {
 public:
  virtual ~TableReader() = default;
  virtual const TableShape& shape() const = 0;
  /// The next `count` rows; `dimension` is the distance between rows of `out`, equal to the number
  /// of columns unless the file is sparse.
  virtual void read_features(Index count, Index dimension, float* out) = 0;
  /// Appends the next `count` rows to sparse ones; for files with shape().is_sparse.
  virtual void read_sparse(Index /*count*/, SparseRows& /*out*/) {}
  /// Skips the next `count` rows of features without reading them.  False, without an effect, for
  /// formats that must be read.
  virtual bool skip_features(Index /*count*/) { return false; }
  /// The next `count` rows of label_columns numbers, unless shape().text_labels.
  virtual void read_labels(Index /*count*/, double* /*out*/) {}
  /// The next `count` labels as they are in the file, if shape().text_labels.
  virtual void read_label_text(Index /*count*/, TextLabels& /*out*/) {}
  /// The id column, or empty.
  virtual std::vector<std::string> ids() const { return {}; }
  /// How the columns are used, where that had to be found out.
  virtual std::string description() const { return {}; }
  /// One per row, or empty.
  virtual std::vector<std::int64_t> query_ids() const { return {}; }
};

}  // namespace structhash::data
