#pragma once

#include <memory>
#include <span>

#include "search/multi_index/bucket_tables.hpp"
#include "structhash/search/search_engine.hpp"

/// Multi-index hashing (Norouzi, Punjani, Fleet: "Fast exact search in Hamming space with
/// multi-index hashing", IEEE TPAMI 36(6), 2014), for plain and for weighted Hamming distance.
/// Exact: the same answers as a scan.  Much faster where neighbours are near; queries without near
/// neighbours are scanned.
namespace structhash::search {

struct MultiIndexOptions {
  Index substrings = 0;  // 0: chosen by the number of codes and bits
  /// Max work on buckets before a query is scanned instead, in units of the cost of the scan.
  double patience = 1.0;
  int threads = 1;  // for building
};

/// Without weights: plain Hamming distance; with them: one per bit, finite and at least 0.
/// The words of the codes must outlive the engine.
std::unique_ptr<SearchEngine> make_multi_index(CodeSpan codes, std::span<const float> bit_weights,
                                               const MultiIndexOptions& options = {});

/// With existing tables.
std::unique_ptr<SearchEngine> make_multi_index(CodeSpan codes, std::span<const float> bit_weights,
                                               std::shared_ptr<const BucketTables> tables,
                                               const MultiIndexOptions& options = {});

}  // namespace structhash::search
