#pragma once

#include <string>

/// Small text files: experiments, expected values, details of result rows.
namespace structhash {

/// Throws Errc::io for a folder, a device or a pipe, which would block until somebody writes to it.
/// A file that does not exist passes.
void require_regular_file(const std::string& path);

/// The whole file.  Throws Errc::io with the reason the system gives.
std::string read_text(const std::string& path);

}  // namespace structhash
