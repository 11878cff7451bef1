#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "command.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/hashing/model.hpp"

/// --distance, the same for every command that compares codes.
namespace structhash::cli {

/// A name of a distance; throws Errc::usage for any other word.
Distance parse_distance(const std::string& word);
std::string_view name_of(Distance distance);
/// For sentences: "weighted Hamming".
std::string_view long_name_of(Distance distance);

void add_distance_option(Command& command, std::optional<Distance>& distance);

/// The distance that was asked for; by default the first of adaptive, weighted and hamming that the
/// model has.  `path` names the model in errors.
Distance distance_for(const HashModel& model, const std::string& path,
                      std::optional<Distance> given);

}  // namespace structhash::cli
