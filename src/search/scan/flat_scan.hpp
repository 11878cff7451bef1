#pragma once

#include <memory>
#include <span>
#include <vector>

#include "structhash/search/search_engine.hpp"

/// Exact search that reads every code (docs/search.md).
namespace structhash::search {

/// Plain Hamming distance.  The engine keeps a view: `database` outlives it and does not change.
std::unique_ptr<SearchEngine> make_flat_scan(const CodeSpan& database);

/// Weighted Hamming distance, bit for bit that of WeightTable, with one weight per bit.
std::unique_ptr<SearchEngine> make_flat_scan(const CodeSpan& database,
                                             std::span<const float> bit_weights);

/// The k nearest codes of real-valued queries, one per row of `values`, one column per bit:
///
///   distance(v, b) = sum over bits i with [v_i > 0] != b_i of |v_i| weight_i
///
/// so a bit counts the more, the further the query is from its threshold.  Summed as WeightTable
/// sums.  `bit_weights` may be empty: all 1.
Neighbours nearest_asymmetric(const CodeSpan& database, const MatrixView& values,
                              std::span<const float> bit_weights, Index k,
                              const SearchOptions& options);

/// A real-valued query is a code with bit weights of its own.
struct SignsAndWeights {
  CodeMatrix code;
  std::vector<float> weights;
};
SignsAndWeights split_values(const MatrixView& values, Index row,
                             std::span<const float> bit_weights);

/// Throws unless there is one value per bit, and no bit weights or one of at least 0 per bit.
void check_values(const CodeSpan& database, const MatrixView& values,
                  std::span<const float> bit_weights);

}  // namespace structhash::search
