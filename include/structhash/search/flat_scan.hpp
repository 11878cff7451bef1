#pragma once

#include <memory>
#include <span>

#include "structhash/search/search_engine.hpp"

/// The scan: every code is compared with every query.
namespace structhash {

/// Plain Hamming distance.  The words must live as long as the engine.
std::unique_ptr<SearchEngine> make_flat_scan(CodeSpan codes);

/// Weighted Hamming distance: one weight per bit, finite and at least 0.
std::unique_ptr<SearchEngine> make_flat_scan(CodeSpan codes, std::span<const float> bit_weights);

}  // namespace structhash
