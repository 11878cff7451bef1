#pragma once

#include <string>

/// Where tests and benchmarks find files.  In a library of its own: paths of one checkout in every
/// compiler call would keep checkouts from sharing what was compiled.
namespace structhash::test {

/// A file of the repository, "tests/golden/index.shi".
std::string in_repository(const std::string& path);

/// A file or folder of the real data sets beside the repository ("" the folder itself); may be
/// absent.
std::string in_shared_data(const std::string& path);

}  // namespace structhash::test
