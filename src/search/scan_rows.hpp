#pragma once

#include <optional>

#include "search/block_scanner.hpp"
#include "search/found_list.hpp"
#include "structhash/search/search_engine.hpp"

namespace structhash::scan {

/// At most 2^32 rows; `begin` is a multiple of kBlockRows.
struct RowRange {
  Index begin = 0;
  Index end = 0;
};

/// Offers every allowed row of the range within the limit of list i to it.  With `k`, only the k
/// nearest rows of the range matter: limits fall on the way.
void scan_rows(BlockScanner& scanner, const CodeSpan& codes, RowRange range,
               std::span<const std::uint64_t> allowed, std::optional<std::size_t> k,
               std::vector<FoundList>& lists);

}  // namespace structhash::scan
