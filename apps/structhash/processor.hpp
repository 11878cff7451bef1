#pragma once

#include <string>

namespace structhash::cli {

/// "AMD EPYC 7B13", say; empty where the system does not tell.
std::string processor_name();

}  // namespace structhash::cli
