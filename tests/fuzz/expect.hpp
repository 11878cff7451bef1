#pragma once

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <string_view>

#include "structhash/core/error.hpp"

namespace structhash::fuzz {

/// Ends the process, which the fuzzer counts as a finding, unless the condition holds.
inline void expect(bool condition, std::string_view what) {
  if (!condition) {
    std::cerr << "finding: " << what << '\n';
    std::abort();
  }
}

/// Reads something; an Error with one of these codes is as good as a result, any other is a
/// finding.
template <typename Read>
void result_or_error(std::initializer_list<Errc> codes, const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    expect(std::ranges::find(codes, error.code()) != codes.end() && error.what()[0] != '\0',
           error.what());
  }
}

/// An Error about the content of a file.
template <typename Read>
void result_or_error(const Read& read) {
  result_or_error({Errc::bad_data, Errc::corrupt_file}, read);
}

}  // namespace structhash::fuzz
