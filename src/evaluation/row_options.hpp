#pragma once

#include <map>
#include <string>

#include "structhash/evaluation/result_row.hpp"

namespace structhash {

/// True if the parameters of the row include all of the options.
bool has_options(const ResultRow& row, const std::map<std::string, std::string>& options);

}  // namespace structhash
