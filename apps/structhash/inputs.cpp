#include "inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "choices.hpp"
#include "interrupt.hpp"
#include "structhash/core/error.hpp"
#include "terminal.hpp"

namespace structhash::cli {
namespace {

/// Rows in about 64 MiB of features.
Index block_rows(Index dimension) {
  constexpr Index kValues = Index{1} << 24U;
  return std::max<Index>(256, kValues / std::max<Index>(1, dimension));
}

/// Rows in one MiB of features.
Index visited_rows(Index dimension) {
  constexpr Index kValues = Index{1} << 18U;
  return std::max<Index>(1, kValues / std::max<Index>(1, dimension));
}

/// Rows in one page, which the disk reads as a whole.
Index rows_of_a_page(Index dimension) {
  constexpr Index kValues = 1024;
  return std::max<Index>(1, kValues / std::max<Index>(1, dimension));
}

std::vector<std::size_t> ascending(std::span<const Index> rows) {
  std::vector<std::size_t> by_row(rows.size());
  std::iota(by_row.begin(), by_row.end(), std::size_t{0});
  std::ranges::sort(by_row, {}, [rows](std::size_t i) { return rows[i]; });
  return by_row;
}

Progress progress_of(const std::string& stage, Index done, Index rows) {
  return {.stage = stage, .done = to_double(done), .total = to_double(rows), .detail = ""};
}

}  // namespace

void add_feature_options(Command& command, DataFiles& files) {
  command.inputs(
      {"--features", "FILE...", "Feature vectors, one row per item; several files are read as one"},
      files.features, Need::required);
  add_table_options(command, files.table);
}

void add_table_options(Command& command, TableOptions& table) {
  command.text({"--format", "NAME", "Format of the feature files (default: by their names)"},
               table.format);
  command.word(
      {"--header", "WORD",
       "Whether the first line of a csv file names the columns: yes, no or auto (default)"},
      [&table](const std::string& word) {
        table.header = choose("--header", word,
                              std::array{Choice{"auto", Header::automatic},
                                         Choice{"yes", Header::yes}, Choice{"no", Header::no}});
      });
  command.text({"--id-column", "COLUMN",
                "Column of a csv file that holds the ids of the rows: its name, or its number "
                "from 1"},
               table.id_column);
  command.comma_list({"--drop-columns", "COLUMNS",
                      "Columns of a csv file that are not features, separated by commas"},
                     table.dropped_columns);
}

void add_label_options(Command& command, DataFiles& files, const std::string& help) {
  command.inputs({"--labels", "FILE...", help}, files.labels);
  command.text({"--label-column", "COLUMN",
                "Column of the csv file that holds the labels: its name, or its number from 1"},
               files.table.label_column);
  command.text({"--label-format", "NAME", "Format of the label files (default: by their names)"},
               files.label_format);
}

TableOptions DataFiles::feature_options() const {
  TableOptions options = table;
  options.label_column = labels.empty() ? table.label_column : "";
  return options;
}

TableOptions DataFiles::label_options() const {
  return {.format = label_format, .header = table.header, .label_column = table.label_column};
}

void note_columns(const DataFiles& files) {
  std::vector<std::string> lines = describe_columns(files.features, files.feature_options());
  for (std::string& line : describe_columns(files.labels, files.label_options())) {
    lines.push_back(std::move(line));
  }
  for (const std::string& line : lines) {
    print_note(line);
  }
}

std::unique_ptr<FeatureReader> open_features(const DataFiles& files, Index dimension) {
  return files.projection
             ? open_projected(files.features, files.feature_options(), *files.projection)
             : open_features(files.features, files.feature_options(), dimension);
}

Matrix<float> load_features(const DataFiles& files, Index dimension) {
  if (!files.projection) {
    return load_features(files.features, files.feature_options(), dimension);
  }
  Matrix<float> all;
  const auto reader = open_features(files);
  reader->read(std::max<Index>(1, reader->rows()), all);
  return all;
}

bool fits(const DataFiles& files, Index dimension) {
  try {
    open_features(files, dimension);
    return true;
  } catch (const Error& error) {
    if (error.code() != Errc::bad_data) {
      throw;
    }
    return false;
  }
}

void read_through_projection(HashModel& model, std::initializer_list<DataFiles*> files) {
  if (model.projection.empty()) {
    return;
  }
  const auto projection =
      std::make_shared<const SparseProjection>(std::exchange(model.projection, {}));
  for (DataFiles* of : files) {
    of->projection = projection;
  }
}

RowIds row_ids(const DataFiles& files, Index rows) {
  std::vector<std::string> ids =
      files.ids.empty() ? load_ids(files.features, files.feature_options()) : read_ids(files.ids);
  if (ids.empty() && files.ids.empty()) {
    return RowIds::numbers(rows);
  }
  if (std::ssize(ids) != rows) {
    fail(Errc::bad_data,
         fmt::format("{} has {} ids, but there are {} rows; one id per row is needed", files.ids,
                     ids.size(), rows));
  }
  return RowIds::listed(std::move(ids));
}

Judgments of_queries(const Judgments& judgments, const std::vector<Index>& queries) {
  Judgments chosen{.items = judgments.items, .queries = {}};
  for (const Index query : queries) {
    chosen.queries.push_back(judgments.queries[static_cast<std::size_t>(query)]);
  }
  return chosen;
}

Labels read_labels(const DataFiles& files, Index rows) {
  const bool separate = !files.labels.empty();
  Labels labels = separate ? load_labels(files.labels, files.label_options())
                           : load_labels_of_features(files.features, files.feature_options());
  require(separate || !labels.empty(),
          files.features.front() +
              " holds no labels; give them with --labels, or name a column with --label-column");
  if (labels.size() != rows) {
    fail(Errc::bad_data,
         fmt::format("{} has {} labels, but {} has {} rows; one label per row is needed",
                     (separate ? files.labels : files.features).front(), labels.size(),
                     files.features.front(), rows));
  }
  return labels;
}

void visit_rows(FeatureReader& reader, std::span<const Index> rows,
                const std::function<void(std::size_t place, std::span<const float> values)>& take) {
  const std::vector<std::size_t> by_row = ascending(rows);
  const auto width = static_cast<std::size_t>(reader.dimension());
  Index min_gap = rows_of_a_page(reader.dimension());  // smaller gaps are read, not skipped
  Matrix<float> block;
  Index at = 0;  // row of the files that comes next
  for (auto next = by_row.begin(); next != by_row.end();) {
    stop_if_interrupted();
    const Index gap = rows[*next] - at;
    if (gap >= min_gap) {
      const Index skipped = reader.skip(gap);
      min_gap = skipped == gap ? min_gap : reader.rows();  // this format cannot skip
      at += skipped;
    }
    const Index limit = at + visited_rows(reader.dimension());
    Index end = at;
    for (auto i = next; i != by_row.end() && rows[*i] < limit && rows[*i] - end < min_gap; ++i) {
      end = rows[*i] + 1;
    }
    const Index count = reader.read((end > at ? end : limit) - at, block);
    if (count == 0) {
      fail(Errc::internal, "a feature reader ended before its last row");
    }
    for (; next != by_row.end() && rows[*next] < at + count; ++next) {
      take(*next, {block.row(rows[*next] - at).data(), width});
    }
    at += count;
  }
}

Matrix<float> read_rows(FeatureReader& reader, std::span<const Index> rows) {
  Matrix<float> chosen(std::ssize(rows), reader.dimension());
  visit_rows(reader, rows, [&chosen](std::size_t place, std::span<const float> values) {
    std::ranges::copy(values, chosen.row(static_cast<Index>(place)).data());
  });
  return chosen;
}

void read_blocks(const DataFiles& files, Index dimension, const std::string& stage,
                 const ProgressCallback& on_progress,
                 const std::function<void(const MatrixView& block)>& take) {
  const auto reader = open_features(files, dimension);
  const Index rows = reader->rows();
  Matrix<float> block;
  for (Index done = 0; done < rows;) {
    report(on_progress, progress_of(stage, done, rows));
    const Index count = reader->read(block_rows(reader->dimension()), block);
    if (count == 0) {
      fail(Errc::internal, "a feature reader ended before its last row");
    }
    take(block.topRows(count));
    done += count;
  }
  report(on_progress, progress_of(stage, rows, rows));
}

void encode_blocks(const HashModel& model, const DataFiles& files, int threads,
                   const ProgressCallback& on_progress,
                   const std::function<void(const CodeMatrix& codes)>& take) {
  read_blocks(files, model.dimension(), "encoding", on_progress,
              [&](const MatrixView& block) { take(encode(model.encoder, block, threads)); });
}

EncodedFiles encode_files(const HashModel& model, const DataFiles& files, int threads,
                          const ProgressCallback& on_progress) {
  std::vector<std::uint64_t> words;
  std::vector<RowMatch> matches;
  read_blocks(files, model.dimension(), "encoding", on_progress, [&](const MatrixView& block) {
    const CodeMatrix codes = encode(model.encoder, block, threads);
    words.insert(words.end(), codes.words().begin(), codes.words().end());
    for (Index row = 0; row < block.rows(); ++row) {
      matches.push_back(match(
          model.training, {block.row(row).data(), static_cast<std::size_t>(model.dimension())}));
    }
  });
  const Index rows = std::ssize(matches);
  return {{rows, model.bits(), std::move(words)}, std::move(matches)};
}

}  // namespace structhash::cli
