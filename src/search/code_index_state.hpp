#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "search/gpu/gpu_scan.hpp"
#include "search/multi_index/bucket_tables.hpp"
#include "search/use_guard.hpp"
#include "structhash/search/code_index.hpp"

/// The inside of a CodeIndex, shared by the files that search, change and store it.
namespace structhash {
namespace search {

/// Codes and ids, owned or in a mapped file.  Rows are in ascending order of id, so equal distances
/// come in the order of ids.
struct IndexContent {
  bool numbered = true;  // ids are 0 .. rows - 1 and are not stored
  Index rows = 0;
  std::vector<std::uint64_t> owned_words;
  std::vector<std::int64_t> owned_ids;
  std::shared_ptr<const Container> file;
  std::span<const std::uint64_t> words;
  std::span<const std::int64_t> ids;

  std::int64_t id_of(Index row) const {
    return numbered ? row : ids[static_cast<std::size_t>(row)];
  }
  std::optional<Index> row_of(std::int64_t id) const;
  std::int64_t next_id() const { return rows == 0 ? 0 : id_of(rows - 1) + 1; }
  void view_owned() {
    words = owned_words;
    ids = owned_ids;
  }
};

}  // namespace search

struct CodeIndex::State {
  explicit State(IndexSettings settings_);

  CodeSpan codes() const { return {content.words, content.rows, settings.bits}; }
  /// The scan of a new content.  Building it may throw; `replace` then leaves the index unchanged.
  std::unique_ptr<SearchEngine> make_scan(const search::IndexContent& next) const;
  void replace(search::IndexContent next);
  void drop_tables() noexcept;  // after a change of the content
  void check_added(const CodeSpan& codes) const;
  /// Adds codes whose ids are above all others; `order`: positions of `ids` in ascending order.
  void append(const CodeSpan& codes, std::span<const std::int64_t> ids,
              std::span<const std::size_t> order, bool numbered);
  void insert(const CodeSpan& codes, std::span<const std::int64_t> ids);
  void use_tables(std::shared_ptr<const search::BucketTables> next);
  /// `choice`, with `automatic` resolved to scan or multi_index.
  EngineChoice resolve(EngineChoice choice, Index k, Index queries) const;
  const SearchEngine& engine(EngineChoice choice) const;  // resolved
  bool on_gpu() const { return device != "cpu"; }
  /// Copies the codes to the GPU if they are not there.
  const search::GpuScan& gpu() const;
  SearchOptions engine_options(const IndexSearchOptions& options) const;
  SearchResult with_ids(const Neighbours& lists, EngineChoice choice) const;
  /// Real-valued queries; without `bit_weights` all weights are 1.
  SearchResult nearest_values(const MatrixView& values, std::span<const float> bit_weights, Index k,
                              const IndexSearchOptions& options) const;

  IndexSettings settings;
  search::IndexContent content;
  std::uint64_t revision = 0;  // raised by every change
  std::shared_ptr<const search::BucketTables> tables;
  std::unique_ptr<SearchEngine> scan;
  std::unique_ptr<SearchEngine> multi_index;  // when there are tables
  std::string device = "cpu";
  mutable std::mutex making_gpu_scan;
  mutable std::unique_ptr<search::GpuScan> gpu_scan;  // once a search has needed it
  mutable search::UseGuard guard;
};

}  // namespace structhash
