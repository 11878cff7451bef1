#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "structhash/codes/code_matrix.hpp"

/// Exact search among packed codes: the interface of every engine.
namespace structhash {

/// A view of codes in a CodeMatrix or in a mapped file.
struct CodeSpan {
  std::span<const std::uint64_t> words;  // rows x ceil(bits / 64), padding bits zero
  Index rows = 0;
  Index bits = 0;

  CodeSpan() = default;
  CodeSpan(std::span<const std::uint64_t> all_words, Index row_count, Index bit_count)
      : words(all_words), rows(row_count), bits(bit_count) {}
  CodeSpan(const CodeMatrix& codes)  // NOLINT(google-explicit-constructor): a view of it
      : words(codes.words()), rows(codes.rows()), bits(codes.bits()) {}

  Index words_per_code() const { return (bits + 63) / 64; }
  CodeView row(Index i) const {
    return words.subspan(static_cast<std::size_t>(i * words_per_code()),
                         static_cast<std::size_t>(words_per_code()));
  }
};

/// Ordered by distance, then by row, so every engine gives the same order.
struct Neighbour {
  float distance = 0.0F;  // plain distances are whole numbers
  Index row = 0;

  auto operator<=>(const Neighbour&) const = default;
};

/// One sorted list per query.
using Neighbours = std::vector<std::vector<Neighbour>>;

struct SearchOptions {
  int threads = 1;
  /// One bit per row, least significant first: the search ignores rows with a 0.  Empty: all rows.
  std::span<const std::uint64_t> allowed = {};
};

/// Engines are immutable once built, so any number of threads may search at once.
/// The distance, plain Hamming or weighted (codes/distance.hpp), is fixed when an engine is built.
class SearchEngine {
 public:
  virtual ~SearchEngine() = default;

  /// The k nearest rows of every query, all rows if there are fewer; k >= 1.
  virtual Neighbours nearest(const CodeSpan& queries, Index k,
                             const SearchOptions& options) const = 0;
  /// Every row at distance <= radius.
  virtual Neighbours within(const CodeSpan& queries, float radius,
                            const SearchOptions& options) const = 0;
  virtual std::string_view name() const = 0;
};

}  // namespace structhash
