#pragma once

#include <string>

namespace structhash::cli {

/// "AMD EPYC 7B13" for example; empty if unknown.
std::string processor_name();

}  // namespace structhash::cli
