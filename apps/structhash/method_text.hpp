#pragma once

#include <string>
#include <vector>

#include "structhash/baselines/methods.hpp"

/// Methods and their options as text.
namespace structhash::cli {

/// "none", "labels" or "lists".
std::string supervision_name(Supervision supervision);

/// The distances that compare the codes of a method; the default first.
std::vector<std::string> distances_of(const MethodEntry& method);

/// One line per option of a method: name, default, help.
std::string option_list(const MethodEntry& method);

/// Summary, reference, supervision, distances, and a table of the options.
std::string method_page(const MethodEntry& method);

}  // namespace structhash::cli
