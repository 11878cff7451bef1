#pragma once

#include <span>
#include <string>
#include <string_view>

/// Help for mistyped names: every error about an unknown name lists the known ones.
namespace structhash {

/// The known name with the fewest edits (insert, delete, replace, swap of neighbours) from `given`;
/// empty if more than a third of its letters would have to change.  Upper and lower case are equal.
std::string_view closest_name(std::string_view given, std::span<const std::string_view> known);

/// "unknown method 'lhs'; did you mean 'lsh'? Known: itq, lsh".
std::string unknown_name(std::string_view what, std::string_view given,
                         std::span<const std::string_view> known);

}  // namespace structhash
