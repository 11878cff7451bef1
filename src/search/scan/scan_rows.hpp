#pragma once

#include <optional>

#include "core/row_range.hpp"
#include "search/scan/block_scanner.hpp"
#include "search/scan/found_list.hpp"
#include "structhash/search/search_engine.hpp"

namespace structhash::search {

/// Adds every allowed row of the range that is within the limit of list i to that list.  With `k`,
/// only the k nearest rows of the range count, and the limits fall during the scan.
/// The range holds at most 2^32 rows and begins at a multiple of kBlockRows.
void scan_rows(BlockScanner& scanner, const CodeSpan& codes, RowRange range,
               std::span<const std::uint64_t> allowed, std::optional<std::size_t> k,
               std::vector<FoundList>& lists);

}  // namespace structhash::search
