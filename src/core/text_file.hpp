#pragma once

#include <string>

/// Small text files: experiments, expected values, details of result rows.
namespace structhash {

/// The whole file.  Throws Errc::io with the reason the system gives.
std::string read_text(const std::string& path);

}  // namespace structhash
