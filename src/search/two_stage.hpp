#pragma once

#include <functional>
#include <memory>
#include <span>

#include "structhash/search/search_engine.hpp"

/// Search in two stages: the R nearest codes by plain Hamming distance, then only these by a better
/// and more expensive distance.  APPROXIMATE unless R is the number of codes: the second stage
/// never sees a row that the first ranks after R.
namespace structhash::search {

/// Second stage: weighted Hamming distance.  `first` finds the candidates by plain Hamming
/// distance; none: a scan.  `within` gives the candidates within the radius.  The words of the
/// codes must outlive the engine.
std::unique_ptr<SearchEngine> make_two_stage(const CodeSpan& codes,
                                             std::span<const float> bit_weights, Index candidates,
                                             std::unique_ptr<SearchEngine> first = nullptr);

/// How full vectors are compared; smaller is nearer.
enum class VectorDistance { squared_l2, negative_inner_product };

/// Fills in the vector of a row: from memory, a file or a database.  Called by several threads.
using VectorSource = std::function<void(Index row, std::span<float> vector)>;

/// Second stage: the candidates of every query in order of the distance of their full vectors, the
/// k nearest.  `queries`: one row per list.  Sums are in double precision, in column order.
Neighbours rerank(const Neighbours& candidates, const MatrixView& queries,
                  const VectorSource& vector_of, VectorDistance distance, Index k, int threads = 1);

}  // namespace structhash::search
