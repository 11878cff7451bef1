#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "data/formats.hpp"
#include "data/line_reader.hpp"

/// libsvm / svmlight:  label [qid:number] column:value column:value ... [# comment]
/// The label is a number or a word.
/// Columns ascend and count from 1 (libsvm0: from 0).  The format is never guessed from the
/// columns: a file that happens to have no column 0 would be read shifted.
namespace structhash::data {
namespace {

constexpr Index kMaxColumn = 1 << 20;  // features are dense: a row is then 4 MiB

struct Pair {
  Index column;  // from 0
  double value;
};

struct SparseRow {
  std::string_view label;
  bool has_query_id = false;
  std::int64_t query_id = 0;
  std::vector<Pair> pairs;
};

std::string_view next_word(std::string_view& rest) {
  rest = trimmed(rest);
  const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

bool parse_integer(std::string_view text, std::int64_t& value) {
  const char* last = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), last, value);
  return status == std::errc{} && end == last;
}

Pair parse_pair(const LineReader& lines, std::string_view word, Index first_column) {
  const std::size_t colon = word.find(':');
  std::int64_t column = 0;
  if (colon == std::string_view::npos || !parse_integer(word.substr(0, colon), column)) {
    lines.fail(0, fmt::format("found {}, expected column:value", shown(word)));
  }
  if (column < first_column || column > kMaxColumn) {
    lines.fail(0,
               fmt::format("found column {}, expected {} to {}{}", column, first_column, kMaxColumn,
                           column == 0 ? "; use --format libsvm0 if columns count from 0" : ""));
  }
  Pair pair{column - first_column, 0.0};
  if (!parse_number(word.substr(colon + 1), pair.value)) {
    lines.fail(column, fmt::format("found {}, expected a number", shown(word.substr(colon + 1))));
  }
  return pair;
}

void parse_row(const LineReader& lines, std::string_view line, Index first_column, SparseRow& row) {
  std::string_view rest = line.substr(0, line.find('#'));
  row.label = next_word(rest);
  if (row.label.find_first_of(":,") != std::string_view::npos) {
    lines.fail(0, fmt::format("found {} in place of the label, expected one number or word",
                              shown(row.label)));
  }
  row.has_query_id = false;
  row.pairs.clear();
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (row.pairs.empty() && !row.has_query_id && word.starts_with("qid:")) {
      row.has_query_id = parse_integer(word.substr(4), row.query_id);
      if (!row.has_query_id) {
        lines.fail(0, fmt::format("found {}, expected qid: and an integer", shown(word)));
      }
      continue;
    }
    const Pair pair = parse_pair(lines, word, first_column);
    if (!row.pairs.empty() && pair.column <= row.pairs.back().column) {
      lines.fail(pair.column + first_column, "columns must ascend, each at most once");
    }
    row.pairs.push_back(pair);
  }
}

class LibsvmReader final : public TableReader {
 public:
  LibsvmReader(const std::string& path, Index first_column)
      : lines_(path), first_column_(first_column) {
    shape_.carries_labels = true;
    shape_.is_sparse = true;
    shape_.label_columns = 1;
    shape_.text_labels = true;
    scan();
  }

  const TableShape& shape() const override { return shape_; }

  void read_features(Index count, Index dimension, float* out) override {
    std::fill_n(out, count * dimension, 0.0F);
    for (Index row = 0; row < count; ++row) {
      next_row(dimension);
      for (const Pair& pair : row_.pairs) {
        out[row * dimension + pair.column] = static_cast<float>(pair.value);
      }
    }
  }

  void read_sparse(Index count, SparseRows& out) override {
    for (Index row = 0; row < count; ++row) {
      next_row(out.dimension);
      for (const Pair& pair : row_.pairs) {
        if (!std::isfinite(static_cast<float>(pair.value))) {
          lines_.fail(pair.column + first_column_,
                      fmt::format("found {}, features must be finite 32-bit numbers", pair.value));
        }
        out.columns.push_back(static_cast<std::int32_t>(pair.column));
        out.values.push_back(static_cast<float>(pair.value));
      }
      out.starts.push_back(std::ssize(out.columns));
    }
  }

  void read_label_text(Index count, TextLabels& out) override {
    for (const Index end = label_row_ + count; label_row_ < end; ++label_row_) {
      out.add(labels_[label_row_]);
    }
  }

  std::vector<std::int64_t> query_ids() const override { return query_ids_; }

 private:
  void next_row(Index dimension) {
    std::string_view line;
    if (!lines_.next(line)) {
      lines_.source().fail(Errc::corrupt_file, "became shorter while it was read");
    }
    parse_row(lines_, line, first_column_, row_);
    if (!row_.pairs.empty() && row_.pairs.back().column >= dimension) {
      lines_.source().fail(Errc::corrupt_file, "changed while it was read");
    }
  }

  /// The first pass finds the number of columns and stores the labels, which are small.
  void scan() {
    std::string_view line;
    while (lines_.next(line)) {
      parse_row(lines_, line, first_column_, row_);
      if (labels_.size() > 0 && row_.has_query_id != !query_ids_.empty()) {
        lines_.fail(0, row_.has_query_id ? "found a qid:, but the rows before have none"
                                         : "the qid: is missing, but the rows before have one");
      }
      labels_.add(row_.label);
      if (row_.has_query_id) {
        query_ids_.push_back(row_.query_id);
      }
      if (!row_.pairs.empty()) {
        shape_.columns = std::max(shape_.columns, row_.pairs.back().column + 1);
      }
    }
    shape_.rows = labels_.size();
    if (shape_.rows == 0 || shape_.columns == 0) {
      lines_.source().fail(Errc::bad_data, fmt::format("holds no data: {} rows of {} columns",
                                                       shape_.rows, shape_.columns));
    }
    lines_.rewind();
  }

  LineReader lines_;
  Index first_column_;
  TableShape shape_;
  SparseRow row_;
  TextLabels labels_;
  std::vector<std::int64_t> query_ids_;
  Index label_row_ = 0;
};

}  // namespace

std::unique_ptr<TableReader> open_libsvm(const std::string& path) {
  return std::make_unique<LibsvmReader>(path, /*first_column=*/1);
}

std::unique_ptr<TableReader> open_libsvm0(const std::string& path) {
  return std::make_unique<LibsvmReader>(path, /*first_column=*/0);
}

}  // namespace structhash::data
