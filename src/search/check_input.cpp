#include "search/check_input.hpp"

#include <fmt/format.h>

#include "structhash/core/error.hpp"

namespace structhash::scan {

void check_database(const CodeSpan& database) {
  require(database.rows >= 0 && database.bits >= 0 && (database.bits > 0 || database.rows == 0),
          "flat scan: codes need at least 1 bit");
  require(std::ssize(database.words) == database.rows * database.words_per_code(),
          fmt::format("flat scan: {} words given for {} codes of {} bits; {} expected",
                      database.words.size(), database.rows, database.bits,
                      database.rows * database.words_per_code()));
}

void check_queries(const CodeSpan& database, const CodeSpan& queries) {
  require(queries.bits == database.bits || database.rows == 0 || queries.rows == 0,
          fmt::format("search: the queries have {} bits, the database {}; encode both with the "
                      "same model",
                      queries.bits, database.bits));
  require(std::ssize(queries.words) == queries.rows * queries.words_per_code(),
          "search: the number of query words does not fit rows and bits");
}

void check_options(const CodeSpan& database, const SearchOptions& options) {
  require(options.threads >= 1, "search: the number of threads must be at least 1");
  const Index bitmap_words = (database.rows + 63) / 64;
  require(options.allowed.empty() || std::ssize(options.allowed) == bitmap_words,
          fmt::format("search: the bitmap of allowed rows has {} words; {} rows need {}",
                      options.allowed.size(), database.rows, bitmap_words));
}

void check_k(Index k) {
  require(k >= 1, fmt::format("search: k is {}; it must be at least 1", k));
}

}  // namespace structhash::scan
