#include <fmt/format.h>

#include <optional>
#include <utility>

#include "data/formats.hpp"
#include "data/line_reader.hpp"

/// Numbers between commas, semicolons or tabs; the separator is the first of these that the first
/// line holds.  The first line is a header if none of its fields is a number.
namespace structhash::data {
namespace {

constexpr Index kSmallTable = 1 << 20;  // numbers

/// Splits a line into fields.
class Fields {
 public:
  Fields(std::string_view line, char separator) : rest_(line), separator_(separator) {}
  bool next(std::string_view& field) {
    if (done_) {
      return false;
    }
    const std::size_t end = rest_.find(separator_);
    done_ = end == std::string_view::npos;
    field = trimmed(rest_.substr(0, end));
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"') {
      field = trimmed(field.substr(1, field.size() - 2));
    }
    rest_.remove_prefix(done_ ? rest_.size() : end + 1);
    return true;
  }

 private:
  std::string_view rest_;
  char separator_;
  bool done_ = false;
};

class CsvReader final : public TableReader {
 public:
  CsvReader(std::string path, bool last_is_label) : path_(std::move(path)) {
    shape_.carries_labels = last_is_label;
    scan();
  }

  const TableShape& shape() const override { return shape_; }

  void read_features(Index count, Index dimension, float* out) override {
    for (Index row = 0; row < count; ++row) {
      const std::vector<double>& values = parse_next(features_);
      for (Index column = 0; column < dimension; ++column) {
        out[row * dimension + column] =
            static_cast<float>(values[static_cast<std::size_t>(column)]);
      }
    }
  }

  void read_labels(Index count, double* out) override {
    for (Index row = 0; row < count; ++row) {
      const std::vector<double>& values = parse_next(labels_);
      out = std::copy(values.end() - shape_.label_columns, values.end(), out);
    }
  }

 private:
  /// Counts rows and columns; the numbers are parsed when they are read.
  void scan() {
    LineReader lines(path_);
    std::string_view line;
    if (!lines.next(line)) {
      lines.source().fail(Errc::bad_data, "holds no data: no line has numbers");
    }
    for (const char candidate : {'\t', ';', ','}) {
      separator_ = line.find(candidate) != std::string_view::npos ? candidate : separator_;
    }
    width_ = 0;
    has_header_ = true;
    bool counts_columns = true;  // 0,1,2,...: column names, as pandas writes them
    Fields fields(line, separator_);
    for (std::string_view field; fields.next(field); ++width_) {
      double value = 0.0;
      has_header_ = has_header_ && !field.empty() && !parse_number(field, value);
      counts_columns = counts_columns && parse_number(field, value) && value == to_double(width_);
    }
    if (counts_columns && width_ >= 3) {
      lines.source().fail(Errc::bad_data,
                          "the first line counts the columns (0, 1, 2, ...) as column names do; "
                          "delete it, or, if it is data, put a line of names above it");
    }
    shape_.rows = has_header_ ? 0 : 1;
    while (lines.next(line)) {
      ++shape_.rows;
    }
    if (shape_.rows == 0) {
      lines.source().fail(Errc::bad_data, "holds no data: only a header line");
    }
    // A number takes at least a digit and a separator.  Small tables get the more precise message
    // of the row that differs instead.
    if (shape_.rows > kSmallTable / width_ &&
        width_ > (static_cast<Index>(lines.bytes()) + 1) / 2 / shape_.rows) {
      lines.source().fail(Errc::bad_data,
                          fmt::format("rows have different numbers of columns: the first line has "
                                      "{}, too many for all {} rows",
                                      width_, shape_.rows));
    }
    shape_.columns = width_ - (shape_.carries_labels ? 1 : 0);
    shape_.label_columns = shape_.carries_labels ? 1 : width_;
    if (shape_.columns == 0) {
      lines.source().fail(Errc::bad_data, "has one column; csv-label needs features and a label");
    }
  }

  const std::vector<double>& parse_next(std::optional<LineReader>& lines) {
    std::string_view line;
    if (!lines) {
      lines.emplace(path_);
      if (has_header_) {
        lines->skip_header();
      }
    }
    if (!lines->next(line)) {
      lines->source().fail(Errc::corrupt_file, "became shorter while it was read");
    }
    values_.clear();
    Fields fields(line, separator_);
    for (std::string_view field; fields.next(field);) {
      const Index column = static_cast<Index>(values_.size()) + 1;
      double value = 0.0;
      if (!parse_number(field, value)) {
        lines->fail(column, field.empty()
                                ? "the field is empty, expected a number"
                                : fmt::format("found {}, expected a number", shown(field)));
      }
      values_.push_back(value);
    }
    if (static_cast<Index>(values_.size()) != width_) {
      lines->fail(0,
                  fmt::format("found {} columns, the first line has {}", values_.size(), width_));
    }
    return values_;
  }

  std::string path_;
  TableShape shape_;
  char separator_ = ',';
  Index width_ = 0;
  bool has_header_ = false;
  std::optional<LineReader> features_;
  std::optional<LineReader> labels_;
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<TableReader> open_csv(const std::string& path) {
  return std::make_unique<CsvReader>(path, /*last_is_label=*/false);
}

std::unique_ptr<TableReader> open_csv_label(const std::string& path) {
  return std::make_unique<CsvReader>(path, /*last_is_label=*/true);
}

}  // namespace structhash::data
