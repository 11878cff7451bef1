#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "structhash/core/container.hpp"
#include "structhash/search/search_engine.hpp"

/// An index of codes with ids: search, change, save, map from a file (docs/index.md).
namespace structhash {

enum class EngineChoice { automatic, scan, multi_index };

/// "auto", "scan" or "multi-index"; throws Errc::usage for any other word.
EngineChoice parse_engine(std::string_view word);

struct IndexSettings {
  Index bits = 0;
  std::vector<float> bit_weights{};  // empty: plain Hamming distance; otherwise one >= 0 per bit
  std::string model{};               // identity of the model file the codes come from, if known
};

/// A set of ids, prepared once for any number of searches; valid until the index changes.
struct IdFilter {
  std::vector<std::uint64_t> rows;  // one bit per row, least significant first
  std::uint64_t revision = 0;       // of the index it was made from
};

struct IndexSearchOptions {
  int threads = 1;
  EngineChoice engine = EngineChoice::automatic;
  const IdFilter* only = nullptr;  // search these ids only
};

/// List q holds the entries starts[q] .. starts[q + 1] - 1 of both arrays, in order of distance and
/// then of id.
struct SearchResult {
  std::vector<Index> starts{0};
  std::vector<float> distances;
  std::vector<std::int64_t> ids;
  std::string_view engine;  // the one that was used

  Index queries() const { return std::ssize(starts) - 1; }
};

/// Ids are 0, 1, 2, ... in the order of adding, or given by the caller: different whole numbers
/// from 0 to 2^63 - 2.  Answers do not depend on the order in which codes were added, nor on the
/// engine.
///
/// Any number of threads may search at once, without a lock.  A call that changes the index while
/// another call runs throws Errc::usage, and so does a search during a change.
/// Any exception leaves the index unchanged.
class CodeIndex {
 public:
  explicit CodeIndex(IndexSettings settings);
  ~CodeIndex();
  CodeIndex(CodeIndex&&) noexcept;
  CodeIndex& operator=(CodeIndex&&) noexcept;

  /// Maps a file that `save` wrote; a search reads large arrays when it needs them.
  static CodeIndex load(const std::string& path, Verify verify = Verify::all_but_large);
  /// The codes of a code file (codes/code_io.hpp), mapped; their ids are their row numbers.
  static CodeIndex of_code_file(const std::string& path, std::vector<float> bit_weights = {},
                                Verify verify = Verify::all_but_large);
  /// Writes codes, ids and, if `prepare` has built them, tables.
  void save(const std::string& path) const;

  Index size() const;
  Index bits() const;
  const IndexSettings& settings() const;
  bool contains(std::int64_t id) const;
  /// All ids, ascending.
  std::vector<std::int64_t> ids() const;
  /// The codes of these ids, in their order.
  CodeMatrix reconstruct(std::span<const std::int64_t> ids) const;
  /// Ids that are not in the index are left out.
  IdFilter filter(std::span<const std::int64_t> ids) const;
  /// Bytes of codes, ids and tables, in memory or in the mapped file.
  std::size_t bytes() const;

  /// Without ids: the numbers after the largest id.
  void add(const CodeSpan& codes);
  void add(const CodeSpan& codes, std::span<const std::int64_t> ids);
  void remove(std::span<const std::int64_t> ids);
  /// Adds the codes of `other`.  If neither index was given ids, those of `other` are renumbered to
  /// follow; otherwise no id may be in both.
  void merge(const CodeIndex& other);

  /// Builds the tables of the multi-index; every change drops them.
  void prepare(int threads = 1);
  bool prepared() const;

  /// Where searches compare codes from now on: "cpu", "cuda" (the first GPU) or "cuda:N".  A GPU
  /// gets a copy of the codes now and, after a change, with the next search; it answers as the scan
  /// does.  DeviceError, in one sentence, if it cannot be used (docs/gpu.md); the device then
  /// stays.
  void use_device(std::string_view device);
  const std::string& device() const;

  /// The k nearest codes of every query, all if there are fewer; k >= 1.
  SearchResult nearest(const CodeSpan& queries, Index k,
                       const IndexSearchOptions& options = {}) const;
  /// Every code at distance <= radius.
  SearchResult within(const CodeSpan& queries, float radius,
                      const IndexSearchOptions& options = {}) const;

  /// The k nearest codes of real-valued queries: one row of decision values v per query, one column
  /// per bit.  A bit that differs from the sign of v_i costs |v_i| times its weight.  `automatic`
  /// is the scan.
  SearchResult nearest_asymmetric(const MatrixView& values, Index k,
                                  const IndexSearchOptions& options = {}) const;

  /// Likewise with the values of adaptive_values (hashing/model.hpp), which include the weights: a
  /// bit that differs from the sign of v_i costs |v_i|.
  SearchResult nearest_adaptive(const MatrixView& values, Index k,
                                const IndexSearchOptions& options = {}) const;

  /// The engine that `automatic` chooses: "scan", "multi-index" or, on a GPU, "gpu scan".
  std::string_view engine(Index k, Index queries) const;

 private:
  struct State;
  explicit CodeIndex(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace structhash
