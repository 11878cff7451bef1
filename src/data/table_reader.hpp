#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "structhash/core/types.hpp"

namespace structhash::data {

/// How the columns of a row make up an image of bytes: pixel (y, x) of channel c is column
/// y * y_step + x * x_step + c * channel_step.  Height 0: they do not.
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
  Index columns = 0;        // features per row
  Index label_columns = 0;  // numbers per row that read_labels gives
  bool is_list = false;     // one-dimensional: n numbers, fit for labels only
  bool is_sparse = false;   // zeros are left out: the table may be wider than `columns`
  bool carries_labels =
      false;  // labels beside the features; otherwise the whole file can be labels
  ImageLayout image;
};

/// One open file.  Features and labels are read from the first row to the last, each at its own
/// pace.  A reader checks what only it can know (rows of unequal length, words for numbers);
/// finite features and integer labels are checked once, for all formats, by its caller.
class TableReader {
 public:
  virtual ~TableReader() = default;
  virtual const TableShape& shape() const = 0;
  /// The next `count` rows; `dimension` is the distance between rows of `out`, equal to the number
  /// of columns unless the file is sparse.
  virtual void read_features(Index count, Index dimension, float* out) = 0;
  /// Passes over the next `count` rows of features unread.  False, and nothing happened, where only
  /// reading leads past them.
  virtual bool skip_features(Index /*count*/) { return false; }
  /// The next `count` rows of label_columns numbers.
  virtual void read_labels(Index count, double* out) = 0;
  /// One per row, or empty.
  virtual std::vector<std::int64_t> query_ids() const { return {}; }
};

}  // namespace structhash::data
