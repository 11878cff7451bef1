#pragma once

#include <string>

/// --memory-limit: what is predicted to need more is refused before it is read.  The process is not
/// limited beyond that (RLIMIT_DATA): OpenBLAS asks for its work space again and again until it
/// gets it, and a program that never ends is worse than one that is told to.
namespace structhash::cli {

/// "2GiB", "500M", "123456": bytes; K, M, G and T are powers of 1024 with or without "iB" or "B".
/// Throws Errc::usage.
double parse_size(const std::string& word);

std::string size_text(double bytes);  // "1.5 GiB"

/// Nothing without a limit (0).  Throws Errc::io with both figures and `advice` if `predicted`
/// bytes are too many.
void keep_memory_limit(double limit, double predicted, const std::string& advice);

}  // namespace structhash::cli
