#pragma once

#include <vector>

#include "search/scan/block_scanner.hpp"
#include "structhash/search/search_engine.hpp"

namespace structhash::search {

/// Evenly spread rows of a database, copied once, from which a scan estimates the distance of the
/// k-th nearest row.  Empty for small databases, whose scan costs no more than the estimate.
class RowSample {
 public:
  explicit RowSample(const CodeSpan& database);

  /// One limit per query that probably at least k rows are within; no limit where the sample is too
  /// small.  Only an estimate: the caller must check that k rows were found.
  std::vector<float> guess_limits(const QueryCodes& queries, const ScannerFactory& make_scanner,
                                  std::size_t k, std::span<const std::uint64_t> allowed) const;

 private:
  CodeSpan span() const { return {words_, rows_, bits_}; }
  std::vector<std::uint64_t> sampled_rows(std::span<const std::uint64_t> allowed) const;

  Index database_rows_ = 0;
  Index rows_ = 0;
  Index bits_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace structhash::search
