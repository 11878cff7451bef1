#pragma once

#include <span>

#include "structhash/search/search_engine.hpp"

/// Argument checks that every engine shares; each throws Errc::usage and says what is wrong.
namespace structhash::search {

/// At least one bit, and the number of words that rows and bits need.
void check_codes(const CodeSpan& codes);
/// One weight per bit; WeightTable checks the values.
void check_weight_count(const CodeSpan& codes, std::span<const float> bit_weights);
/// Queries have the bits of the codes, even of an empty set of codes.
void check_queries(const CodeSpan& codes, const CodeSpan& queries);
/// At least one thread; a bitmap of allowed rows has one bit per row.
void check_options(const CodeSpan& codes, const SearchOptions& options);
void check_k(Index k);
void check_radius(float radius);  // refuses NaN, too

}  // namespace structhash::search
