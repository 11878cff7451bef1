#include "search/checks.hpp"

#include <fmt/format.h>

#include "structhash/core/error.hpp"

namespace structhash::search {
namespace {

void check_words(const CodeSpan& codes, std::string_view what) {
  require(codes.rows >= 0,
          fmt::format("the number of {} must be 0 or more, got {}", what, codes.rows));
  require(std::ssize(codes.words) == codes.rows * codes.words_per_code(),
          fmt::format("{} {} of {} bits need {} words, got {}", codes.rows, what, codes.bits,
                      codes.rows * codes.words_per_code(), codes.words.size()));
}

}  // namespace

void check_codes(const CodeSpan& codes) {
  require(codes.bits >= 1, fmt::format("codes need at least 1 bit, got {}", codes.bits));
  check_words(codes, "codes");
}

void check_weight_count(const CodeSpan& codes, std::span<const float> bit_weights) {
  require(std::ssize(bit_weights) == codes.bits,
          fmt::format("{} bit weights for codes of {} bits; one weight per bit is needed",
                      bit_weights.size(), codes.bits));
}

void check_queries(const CodeSpan& codes, const CodeSpan& queries) {
  require(queries.bits == codes.bits,
          fmt::format("the queries have {} bits, the codes {}; encode both with the same model",
                      queries.bits, codes.bits));
  check_words(queries, "queries");
}

void check_options(const CodeSpan& codes, const SearchOptions& options) {
  require(options.threads >= 1, fmt::format("threads must be 1 or more, got {}", options.threads));
  const Index bitmap_words = (codes.rows + 63) / 64;
  require(options.allowed.empty() || std::ssize(options.allowed) == bitmap_words,
          fmt::format("the bitmap of allowed rows has {} words; {} rows need {}",
                      options.allowed.size(), codes.rows, bitmap_words));
}

void check_k(Index k) {
  require(k >= 1, fmt::format("k must be 1 or more, got {}", k));
}

void check_radius(float radius) {
  require(radius >= 0.0F, fmt::format("the radius must be 0 or more, got {}", radius));
}

}  // namespace structhash::search
