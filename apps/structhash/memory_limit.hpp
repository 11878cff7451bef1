#pragma once

#include <string>

/// --memory-limit: what would need more is refused before it is read; what turns out to need more
/// all the same gets no more from the system and ends with an error, not by the kernel's choice.
namespace structhash::cli {

/// "2GiB", "500M", "123456": bytes; K, M, G and T are powers of 1024 with or without "iB" or "B".
/// Throws Errc::usage.
double parse_size(const std::string& word);

std::string size_text(double bytes);  // "1.5 GiB"

/// Nothing without a limit (0).  Throws Errc::io with both figures and `advice` if `predicted`
/// bytes are too many; otherwise limits this process.
void keep_memory_limit(double limit, double predicted, int threads, const std::string& advice);

}  // namespace structhash::cli
