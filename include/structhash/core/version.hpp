#pragma once

#include <string_view>

namespace structhash {

/// "0.1.0+1a2b3c4d": the release, and a fingerprint of the sources that affect training and
/// evaluation.  Two builds with the same fingerprint give the same results.
std::string_view code_version();

}  // namespace structhash
