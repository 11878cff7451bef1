#include "inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interrupt.hpp"
#include "structhash/core/error.hpp"

namespace structhash::cli {
namespace {

/// About 64 MiB of features at a time, whatever their dimension.
Index block_rows(Index dimension) {
  constexpr Index kValues = Index{1} << 24U;
  return std::max<Index>(256, kValues / std::max<Index>(1, dimension));
}

Progress progress_of(const std::string& stage, Index done, Index rows) {
  return {.stage = stage, .done = real(done), .total = real(rows), .detail = ""};
}

}  // namespace

void add_feature_options(Command& command, DataFiles& files) {
  command.texts(
      {"--features", "FILE...", "Feature vectors, one row per item; several files are read as one"},
      files.features, Need::required);
  command.text({"--format", "NAME", "Format of the feature files, when their names do not tell"},
               files.format);
}

void add_label_options(Command& command, DataFiles& files) {
  command.texts({"--labels", "FILE...",
                 "Classes, or a 0/1 matrix of labels; not needed when the feature files hold them"},
                files.labels);
  command.text(
      {"--label-format", "NAME", "Format of the label files, when their names do not tell"},
      files.label_format);
}

Labels read_labels(const DataFiles& files, Index rows) {
  const bool apart = !files.labels.empty();
  Labels labels = apart ? load_labels(files.labels, files.label_format)
                        : load_table(files.features, files.format).labels;
  require(apart || !labels.empty(),
          files.features.front() + " carries no labels: give them by --labels");
  if (labels.size() != rows) {
    fail(Errc::bad_data, fmt::format("{} has {} labels, but {} has {} rows: each row needs one",
                                     (apart ? files.labels : files.features).front(), labels.size(),
                                     files.features.front(), rows));
  }
  return labels;
}

Matrix<float> read_rows(FeatureReader& reader, const std::vector<Index>& rows) {
  std::vector<std::size_t> by_row(rows.size());
  std::iota(by_row.begin(), by_row.end(), std::size_t{0});
  std::ranges::sort(by_row, {}, [&rows](std::size_t i) { return rows[i]; });
  Matrix<float> chosen(static_cast<Index>(rows.size()), reader.dimension());
  Matrix<float> block;
  Index first = 0;  // row of the file at which the block begins
  auto next = by_row.begin();
  while (next != by_row.end()) {
    stop_if_interrupted();
    const Index count = reader.read(block_rows(reader.dimension()), block);
    if (count == 0) {
      fail(Errc::internal, "a feature reader ended before its last row");
    }
    for (; next != by_row.end() && rows[*next] < first + count; ++next) {
      chosen.row(static_cast<Index>(*next)) = block.row(rows[*next] - first);
    }
    first += count;
  }
  return chosen;
}

void read_blocks(const DataFiles& files, Index dimension, const std::string& stage,
                 const ProgressCallback& on_progress,
                 const std::function<void(const MatrixView& block)>& take) {
  const auto reader = open_features(files.features, files.format, dimension);
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
              [&](const MatrixView& block) { take(encode(model, block, threads)); });
}

CodeMatrix encode_files(const HashModel& model, const DataFiles& files, int threads,
                        const ProgressCallback& on_progress) {
  std::vector<std::uint64_t> words;
  Index rows = 0;
  encode_blocks(model, files, threads, on_progress, [&](const CodeMatrix& codes) {
    words.insert(words.end(), codes.words().begin(), codes.words().end());
    rows += codes.rows();
  });
  return {rows, model.bits(), std::move(words)};
}

}  // namespace structhash::cli
