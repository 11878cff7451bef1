#pragma once

#include "search/scan/block_scanner.hpp"
#include "search/scan/row_sample.hpp"
#include "search/scan/scan_rows.hpp"
#include "structhash/search/search_engine.hpp"

namespace structhash::search {

/// Number of parts to scan in parallel: at most `threads`, each worth the start of a thread.
int part_count(Index rows, int threads);

/// Exact answers for a group of queries that are scanned together.
class GroupSearch {
 public:
  /// The database is cut into at least `parts` ranges of rows, scanned by as many threads.
  GroupSearch(const CodeSpan& database, const RowSample& sample, const ScannerFactory& make_scanner,
              std::span<const std::uint64_t> allowed, int parts);

  Neighbours nearest(const QueryCodes& queries, std::size_t k) const;
  Neighbours within(const QueryCodes& queries, float radius) const;

 private:
  Neighbours scan_all(const QueryCodes& queries, std::optional<std::size_t> k,
                      std::span<const float> limits) const;

  const CodeSpan& database_;
  const RowSample& sample_;
  const ScannerFactory& make_scanner_;
  std::span<const std::uint64_t> allowed_;
  int threads_;
  std::vector<RowRange> ranges_;
};

}  // namespace structhash::search
