#pragma once

#include <string>

/// --memory-limit: refuses work that is predicted to need more memory, before reading the data. The
/// process itself has no limit (RLIMIT_DATA), because OpenBLAS retries a failed allocation for
/// ever.
namespace structhash::cli {

/// "2GiB", "500M", "123456": bytes; K, M, G and T are powers of 1024 with or without "iB" or "B".
/// Throws Errc::usage.
double parse_size(const std::string& word);

std::string size_text(double bytes);  // "1.5 GiB"

double machine_memory();  // bytes

/// Throws Errc::io with both numbers and `advice` if `predicted` bytes exceed the limit; 0: no
/// limit.
void check_memory_limit(double limit, double predicted, const std::string& advice);

}  // namespace structhash::cli
