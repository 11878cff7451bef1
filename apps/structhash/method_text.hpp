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

/// A table of the options of a method: name, defaults, allowed values, hash functions, meaning.
std::string option_table(const MethodEntry& method);

/// The words that an option of the method takes, "standard, fast or paper"; empty if it has no such
/// option.
std::string choices_of(const MethodEntry& method, std::string_view option);

/// Summary, reference, supervision, distances, and a table of the options.
std::string method_page(const MethodEntry& method);

}  // namespace structhash::cli
