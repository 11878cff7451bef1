#pragma once

#include "search/scan/block_scanner.hpp"

namespace structhash::search {

/// Plain Hamming distance: bit-sliced for a batch, population counts for few queries.
std::unique_ptr<BlockScanner> make_hamming_scanner(const QueryCodes& queries, Index bits);

}  // namespace structhash::search
