#pragma once

#include <functional>
#include <string>
#include <vector>

/// `-` in place of a file: standard input.
namespace structhash::cli {

/// Replaces "-" by the path of a temporary file with all of standard input, which vanishes with the
/// process.  Readers need files: they read sizes first and may read twice.
void replace_standard_input(std::vector<std::string>& paths);

/// Runs the command; its errors say "standard input" instead of the name of that file.
void run_with_readable_errors(const std::function<void()>& run);

}  // namespace structhash::cli
