#include <fmt/format.h>

#include <optional>
#include <utility>

#include "data/csv_columns.hpp"
#include "data/formats.hpp"

/// Columns between commas, semicolons or tabs.  Features are numbers; a label column and an id
/// column may hold text.
namespace structhash::data {
namespace {

constexpr Index kSmallTable = 1 << 20;  // numbers

class CsvReader final : public TableReader {
 public:
  CsvReader(std::string path, const TableOptions& options, bool last_is_label)
      : path_(std::move(path)), columns_(find_columns(path_, options, last_is_label)) {
    shape_.carries_labels = columns_.find(ColumnRole::label) >= 0;
    label_column_ = shape_.carries_labels ? columns_.find(ColumnRole::label) : 0;
    count_rows();
  }

  const TableShape& shape() const override { return shape_; }

  void read_features(Index count, Index dimension, float* out) override {
    for (Index row = 0; row < count; ++row) {
      float* to = out + row * dimension;
      visit_next(features_, [&](Index column, std::string_view field) {
        if (columns_.roles[static_cast<std::size_t>(column)] == ColumnRole::feature) {
          *to++ = static_cast<float>(number(*features_, column, field));
        }
      });
    }
  }

  void read_labels(Index count, double* out) override {
    for (Index row = 0; row < count; ++row) {
      visit_next(labels_, [&](Index column, std::string_view field) {
        if (columns_.roles[static_cast<std::size_t>(column)] == ColumnRole::feature) {
          *out++ = number(*labels_, column, field);
        }
      });
    }
  }

  void read_label_text(Index count, TextLabels& out) override {
    visit_column(labels_, count, label_column_, [&out](std::string_view text) { out.add(text); });
  }

  std::vector<std::string> ids() const override {
    std::vector<std::string> all;
    std::optional<LineReader> lines;
    if (const Index column = columns_.find(ColumnRole::id); column >= 0) {
      visit_column(lines, shape_.rows, column,
                   [&all](std::string_view text) { all.emplace_back(text); });
    }
    return all;
  }

  std::string description() const override {
    const Index width = columns_.width();
    std::string text = fmt::format("{}: {} rows, {} header line, {} column{}", path_, shape_.rows,
                                   columns_.has_header ? "a" : "no", width, width == 1 ? "" : "s");
    if (shape_.columns == width) {
      return text;
    }
    text += fmt::format(": {} features", shape_.columns);
    for (const auto& [role, name] :
         {std::pair{ColumnRole::label, "label"}, std::pair{ColumnRole::id, "id"}}) {
      if (const Index column = columns_.find(role); column >= 0) {
        text += fmt::format(", {} in {}", name, columns_.text(column));
      }
    }
    const Index dropped = columns_.count(ColumnRole::dropped);
    return text + (dropped > 0 ? fmt::format(", {} dropped", dropped) : "");
  }

 private:
  /// Counts rows; the fields are parsed when they are read.
  void count_rows() {
    LineReader lines(path_);
    for (std::string_view line; lines.next(line);) {
      ++shape_.rows;
    }
    shape_.rows -= columns_.has_header ? 1 : 0;
    if (shape_.rows == 0) {
      lines.source().fail(Errc::bad_data, "holds no data: only a header line");
    }
    // A number takes at least a digit and a separator.  Small tables get the more precise message
    // of the row that differs instead.
    const Index width = columns_.width();
    if (shape_.rows > kSmallTable / width &&
        width > (static_cast<Index>(lines.bytes()) + 1) / 2 / shape_.rows) {
      lines.source().fail(Errc::bad_data,
                          fmt::format("rows have different numbers of columns: the first line has "
                                      "{}, too many for all {} rows",
                                      width, shape_.rows));
    }
    shape_.columns = columns_.count(ColumnRole::feature);
    shape_.label_columns = shape_.carries_labels ? 1 : shape_.columns;
    shape_.text_labels = shape_.label_columns == 1;
    shape_.is_list = shape_.columns == 0;
  }

  /// Calls take(column, field) for every field of the next row.
  template <typename Take>
  void visit_next(std::optional<LineReader>& lines, const Take& take) const {
    std::string_view line;
    if (!lines) {
      lines.emplace(path_);
      if (columns_.has_header) {
        lines->skip_header();
      }
    }
    if (!lines->next(line)) {
      lines->source().fail(Errc::corrupt_file, "became shorter while it was read");
    }
    Index found = 0;
    CsvFields fields(line, columns_.separator);
    for (std::string_view field; fields.next(field); ++found) {
      if (found < columns_.width()) {
        take(found, field);
      }
    }
    if (fields.malformed()) {
      lines->fail(0, "a quote is not closed; write every row on one line");
    }
    if (found != columns_.width()) {
      lines->fail(0,
                  fmt::format("found {} columns, the first line has {}", found, columns_.width()));
    }
  }

  /// Calls take(field) with one column of the next rows; it must not be empty.
  template <typename Take>
  void visit_column(std::optional<LineReader>& lines, Index count, Index wanted,
                    const Take& take) const {
    for (Index row = 0; row < count; ++row) {
      visit_next(lines, [&](Index column, std::string_view field) {
        if (column == wanted && field.empty()) {
          lines->fail(column + 1, "the field is empty, expected a label or an id");
        }
        if (column == wanted) {
          take(field);
        }
      });
    }
  }

  double number(const LineReader& lines, Index column, std::string_view field) const {
    double value = 0.0;
    if (!parse_number(field, value)) {
      lines.fail(column + 1,
                 field.empty()
                     ? "the field is empty, expected a number"
                     : fmt::format("found {}, expected a number; a column of text can be a "
                                   "--label-column or --id-column, or one of --drop-columns{}",
                                   shown(field),
                                   columns_.has_header ? "" : " (a header line: --header yes)"));
    }
    return value;
  }

  std::string path_;
  CsvColumns columns_;
  TableShape shape_;
  Index label_column_ = 0;
  std::optional<LineReader> features_;
  std::optional<LineReader> labels_;
};

}  // namespace

std::unique_ptr<TableReader> open_csv(const std::string& path, const TableOptions& options) {
  return std::make_unique<CsvReader>(path, options, /*last_is_label=*/false);
}

std::unique_ptr<TableReader> open_csv_label(const std::string& path, const TableOptions& options) {
  return std::make_unique<CsvReader>(path, options, /*last_is_label=*/true);
}

}  // namespace structhash::data
