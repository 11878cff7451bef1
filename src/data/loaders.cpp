#include "structhash/data/loaders.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "data/element.hpp"
#include "data/formats.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr Index kCheckedBytes = 1 << 18;  // read and checked while still in the cache
constexpr Index kLabelRows = 1 << 14;     // labels converted at a time

struct OpenFile {
  std::string path;
  std::unique_ptr<data::TableReader> reader;

  const data::TableShape& shape() const { return reader->shape(); }
  [[noreturn]] void fail(const std::string& message) const {
    structhash::fail(Errc::bad_data, path + ": " + message);
  }
  [[noreturn]] void fail(Index row, Index column, const std::string& message) const {
    fail(fmt::format("row {}, column {}: {}", row + 1, column + 1, message));
  }
};

std::vector<OpenFile> open_all(std::span<const std::string> files, const TableOptions& options) {
  require(!files.empty(), "no input file was given");
  std::vector<OpenFile> open;
  for (const std::string& path : files) {
    open.push_back({path, data::open_table(path, options)});
  }
  return open;
}

Index total_rows(std::span<const OpenFile> files) {
  Index rows = 0;
  for (const OpenFile& file : files) {
    rows += file.shape().rows;
  }
  return rows;
}

/// The file that sets the dimension of all: the first dense one, or the widest of sparse ones.
const OpenFile& dimension_file(std::span<const OpenFile> files) {
  const OpenFile* widest = &files.front();
  for (const OpenFile& file : files) {
    if (!file.shape().is_sparse) {
      return file;
    }
    widest = file.shape().columns > widest->shape().columns ? &file : widest;
  }
  return *widest;
}

Index common_dimension(std::span<const OpenFile> files, Index wanted) {
  const OpenFile& widest = dimension_file(files);
  const Index dimension = wanted > 0 ? wanted : widest.shape().columns;
  for (const OpenFile& file : files) {
    const data::TableShape& shape = file.shape();
    if (shape.is_list) {
      file.fail(
          fmt::format("is a list of {} values; features need rows and columns. Are these "
                      "labels?",
                      shape.rows));
    }
    if (shape.columns > dimension || (shape.columns < dimension && !shape.is_sparse)) {
      file.fail(fmt::format("has {} columns, expected {}{}", shape.columns, dimension,
                            wanted > 0 ? "" : ", as in " + widest.path));
    }
  }
  return dimension;
}

/// Reads the files one after the other, and checks features for NaN and infinity as they are read.
class FileChain final : public FeatureReader {
 public:
  FileChain(std::vector<OpenFile> files, Index dimension)
      : files_(std::move(files)),
        rows_(total_rows(files_)),
        dimension_(common_dimension(files_, dimension)) {}

  Index rows() const override { return rows_; }
  Index dimension() const override { return dimension_; }

  Index read(Index max_rows, Matrix<float>& block) override {
    require(max_rows >= 1, "FeatureReader::read: max_rows must be 1 or more");
    const Index count = std::min(max_rows, rows_ - done_);
    block.resize(count, dimension_);
    read_into(count, block.data());
    return count;
  }

  void read_into(Index count, float* out) {
    const Index rows_at_once =
        std::max<Index>(1, kCheckedBytes / (dimension_ * static_cast<Index>(sizeof(float))));
    for (Index filled = 0; filled < count;) {
      OpenFile& file = files_[current_];
      const Index rows = std::min({rows_at_once, count - filled, file.shape().rows - row_in_file_});
      float* to = out + filled * dimension_;
      file.reader->read_features(rows, dimension_, to);
      if (!data::all_finite(to, static_cast<std::size_t>(rows * dimension_))) {
        report_not_finite(file, to);
      }
      filled += rows;
      advance(rows);
    }
  }

  Index skip(Index max_rows) override {
    Index skipped = 0;
    while (skipped < max_rows && done_ < rows_) {
      OpenFile& file = files_[current_];
      const Index rows = std::min(max_rows - skipped, file.shape().rows - row_in_file_);
      if (!file.reader->skip_features(rows)) {
        break;
      }
      skipped += rows;
      advance(rows);
    }
    return skipped;
  }

  std::span<OpenFile> files() { return files_; }

 private:
  /// Counts `rows` of the current file as done; moves to the next file at its end.
  void advance(Index rows) {
    done_ += rows;
    row_in_file_ += rows;
    if (row_in_file_ == files_[current_].shape().rows) {
      ++current_;
      row_in_file_ = 0;
    }
  }

  [[noreturn]] void report_not_finite(const OpenFile& file, const float* values) const {
    Index item = 0;
    while (std::isfinite(values[item])) {
      ++item;
    }
    file.fail(row_in_file_ + item / dimension_, item % dimension_,
              fmt::format("found {}, features must be finite 32-bit numbers", values[item]));
  }

  std::vector<OpenFile> files_;
  Index rows_;
  Index dimension_;
  Index done_ = 0;
  std::size_t current_ = 0;
  Index row_in_file_ = 0;
};

Matrix<float> read_everything(FileChain& chain) {
  const double gigabytes =
      to_double(chain.rows()) * to_double(chain.dimension()) * sizeof(float) / 1e9;
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e9;
  if (gigabytes > memory) {
    fail(Errc::bad_data,
         fmt::format(
             "{}: {} rows of {} columns need {:.1f} GB of memory, the machine has {:.1f} GB; "
             "read the rows in blocks, or use fewer rows",
             chain.files().front().path, chain.rows(), chain.dimension(), gigabytes, memory));
  }
  Matrix<float> features(chain.rows(), chain.dimension());
  chain.read_into(chain.rows(), features.data());
  return features;
}

void append_classes(const OpenFile& file, Index first, std::span<const double> values,
                    std::vector<int>& classes) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    if (std::nearbyint(value) != value || value < std::numeric_limits<int>::min() ||
        value > std::numeric_limits<int>::max()) {
      file.fail(first + static_cast<Index>(i), 0,
                fmt::format("found label {}, expected a 32-bit integer", value));
    }
    classes.push_back(static_cast<int>(value));
  }
}

void copy_flags(const OpenFile& file, Index first, std::span<const double> values, Index columns,
                std::uint8_t* flags) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0.0 && values[i] != 1.0) {
      const auto item = static_cast<Index>(i);
      file.fail(first + item / columns, item % columns,
                fmt::format("found {}, labels in several columns must be 0 or 1", values[i]));
    }
    flags[i] = values[i] != 0.0 ? 1 : 0;
  }
}

/// Labels as text, so that words and numbers can be told apart once all are known.
Labels read_text_labels(std::span<OpenFile> files) {
  data::TextLabels text;
  for (const OpenFile& file : files) {
    const Index rows = file.shape().rows;
    if (file.shape().text_labels) {
      file.reader->read_label_text(rows, text);
      continue;
    }
    std::vector<double> values(static_cast<std::size_t>(rows));
    file.reader->read_labels(rows, values.data());
    for (const double value : values) {
      text.add(fmt::format("{}", value));
    }
  }
  const Index bad = text.first_bad_number();
  Index first = 0;  // row of the file
  for (const OpenFile& file : files) {
    if (bad >= first && bad < first + file.shape().rows) {
      file.fail(bad - first, 0,
                fmt::format("found label {}, expected a 32-bit integer", text[bad]));
    }
    first += file.shape().rows;
  }
  return text.classes();
}

Labels read_labels(std::span<OpenFile> files) {
  const Index columns = files.front().shape().label_columns;
  for (const OpenFile& file : files) {
    if (file.shape().label_columns != columns) {
      file.fail(fmt::format("has {} columns of labels, but {} has {}", file.shape().label_columns,
                            files.front().path, columns));
    }
  }
  if (std::ranges::any_of(files, [](const OpenFile& file) { return file.shape().text_labels; })) {
    return read_text_labels(files);
  }
  Labels labels;
  const Index rows = total_rows(files);
  if (columns == 1) {
    labels.classes.reserve(static_cast<std::size_t>(rows));
  } else {
    labels.multi.resize(rows, columns);
  }
  std::vector<double> values;
  Index done = 0;
  for (const OpenFile& file : files) {
    for (Index first = 0; first < file.shape().rows; first += kLabelRows) {
      const Index count = std::min(kLabelRows, file.shape().rows - first);
      values.resize(static_cast<std::size_t>(count * columns));
      file.reader->read_labels(count, values.data());
      if (columns == 1) {
        append_classes(file, first, values, labels.classes);
      } else {
        copy_flags(file, first, values, columns, labels.multi.data() + done * columns);
      }
      done += count;
    }
  }
  return labels;
}

bool all_carry_labels(std::span<const OpenFile> files) {
  return std::ranges::all_of(files,
                             [](const OpenFile& file) { return file.shape().carries_labels; });
}

/// Query ids; all files must have them, or none.
std::vector<std::int64_t> read_query_ids(std::span<OpenFile> files) {
  std::vector<std::int64_t> all;
  const bool wanted = !files.front().reader->query_ids().empty();
  for (const OpenFile& file : files) {
    const std::vector<std::int64_t> ids = file.reader->query_ids();
    if (ids.empty() == wanted) {
      file.fail(fmt::format("{} qid:, unlike {}", wanted ? "has no" : "has a", files.front().path));
    }
    all.insert(all.end(), ids.begin(), ids.end());
  }
  return all;
}

}  // namespace

std::unique_ptr<FeatureReader> open_features(std::span<const std::string> files,
                                             const TableOptions& options, Index dimension) {
  require(dimension >= 0, "the dimension must be 0 (that of the files) or more");
  return std::make_unique<FileChain>(open_all(files, options), dimension);
}

Matrix<float> load_features(std::span<const std::string> files, const TableOptions& options,
                            Index dimension) {
  require(dimension >= 0, "the dimension must be 0 (that of the files) or more");
  FileChain chain(open_all(files, options), dimension);
  return read_everything(chain);
}

Labels load_labels(std::span<const std::string> files, const TableOptions& options) {
  std::vector<OpenFile> open = open_all(files, options);
  return read_labels(open);
}

Labels load_labels_of_features(std::span<const std::string> files, const TableOptions& options) {
  std::vector<OpenFile> open = open_all(files, options);
  return all_carry_labels(open) ? read_labels(open) : Labels{};
}

std::vector<std::string> load_ids(std::span<const std::string> files, const TableOptions& options) {
  std::vector<std::string> all;
  for (const OpenFile& file : open_all(files, options)) {
    const std::vector<std::string> ids = file.reader->ids();
    all.insert(all.end(), ids.begin(), ids.end());
  }
  return all;
}

std::vector<std::string> describe_columns(std::span<const std::string> files,
                                          const TableOptions& options) {
  std::vector<std::string> lines;
  for (const std::string& path : files) {
    if (std::string text = data::describe_table(path, options); !text.empty()) {
      lines.push_back(std::move(text));
    }
  }
  return lines;
}

LoadedTable load_table(std::span<const std::string> files, const TableOptions& options,
                       Index dimension) {
  require(dimension >= 0, "the dimension must be 0 (that of the files) or more");
  FileChain chain(open_all(files, options), dimension);
  LoadedTable table{read_everything(chain), {}, {}};
  if (all_carry_labels(chain.files())) {
    table.labels = read_labels(chain.files());
    table.query_ids = read_query_ids(chain.files());
  }
  return table;
}

Dataset load_dataset(std::span<const std::string> feature_files,
                     std::span<const std::string> label_files, std::string name,
                     const TableOptions& options, const TableOptions& label_options) {
  Dataset data{std::move(name), {}, {}};
  if (label_files.empty()) {
    LoadedTable table = load_table(feature_files, options);
    data.features = std::move(table.features);
    data.labels = std::move(table.labels);
  } else {
    data.features = load_features(feature_files, options);
    data.labels = load_labels(label_files, label_options);
    if (data.labels.size() != data.size()) {
      fail(
          Errc::bad_data,
          fmt::format("{}: {} labels for the {} rows of {}; there must be one label per row",
                      label_files.front(), data.labels.size(), data.size(), feature_files.front()));
    }
  }
  return data;  // the readers have checked everything that check(Dataset) would
}

}  // namespace structhash
