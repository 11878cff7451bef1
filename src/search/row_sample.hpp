#pragma once

#include <vector>

#include "search/block_scanner.hpp"
#include "structhash/search/search_engine.hpp"

namespace structhash::scan {

/// Evenly spread rows of a database, copied once: from them a scan guesses how far away the k-th
/// nearest row is.  Empty for databases that are scanned as fast as guessed about.
class RowSample {
 public:
  explicit RowSample(const CodeSpan& database);

  /// One limit per query that about k rows, rather more than fewer, are within; no limit where the
  /// sample cannot tell.  Only a guess: who uses it counts what was found.
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

}  // namespace structhash::scan
