#include "search/query_checks.hpp"

#include <fmt/format.h>

#include "search/check_input.hpp"
#include "structhash/core/error.hpp"

namespace structhash {

void check_codes(const CodeSpan& codes) {
  require(codes.bits >= 1, "a code needs at least one bit");
  require(codes.rows >= 0, "the number of codes must not be negative");
  require(std::ssize(codes.words) == codes.rows * codes.words_per_code(),
          fmt::format("{} codes of {} bits need {} words, not {}", codes.rows, codes.bits,
                      codes.rows * codes.words_per_code(), codes.words.size()));
}

void check_weight_count(const CodeSpan& codes, std::span<const float> bit_weights) {
  require(std::ssize(bit_weights) == codes.bits,
          fmt::format("{} bit weights for codes of {} bits: each bit needs one", bit_weights.size(),
                      codes.bits));
}

void check_query(const CodeSpan& codes, const CodeSpan& queries, const SearchOptions& options) {
  require(queries.bits == codes.bits,
          fmt::format("the queries have {} bits and the codes {}: encode both with one model",
                      queries.bits, codes.bits));
  scan::check_queries(codes, queries);
  scan::check_options(codes, options);
}

void check_radius(float radius) {
  require(radius >= 0.0F, fmt::format("search: the radius is {}; it must be 0 or more", radius));
}

}  // namespace structhash
