#pragma once

#include "structhash/search/search_engine.hpp"

/// What every search refuses, with Errc::usage and in plain words.
namespace structhash::scan {

/// The number of words fits rows and bits.
void check_database(const CodeSpan& database);
/// Same number of bits, and as many words as that takes.
void check_queries(const CodeSpan& database, const CodeSpan& queries);
/// At least one thread; a bitmap of allowed rows has one bit per row.
void check_options(const CodeSpan& database, const SearchOptions& options);
void check_k(Index k);

}  // namespace structhash::scan
