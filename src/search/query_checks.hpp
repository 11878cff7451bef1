#pragma once

#include <span>

#include "structhash/search/search_engine.hpp"

/// What indexes ask of their arguments beyond check_input.hpp; each throws Errc::usage with what is
/// wrong.
namespace structhash {

void check_codes(const CodeSpan& codes);  // as many words as rows and bits need
void check_weight_count(const CodeSpan& codes, std::span<const float> bit_weights);
/// Queries and options of one search; even an empty index knows its number of bits.
void check_query(const CodeSpan& codes, const CodeSpan& queries, const SearchOptions& options);
void check_radius(float radius);  // 0 or more

inline bool row_allowed(std::span<const std::uint64_t> allowed, Index row) {
  return allowed.empty() ||
         ((allowed[static_cast<std::size_t>(row) / 64] >> (static_cast<unsigned>(row) % 64)) &
          1U) != 0;
}

}  // namespace structhash
