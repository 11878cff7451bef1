#pragma once

#include <optional>
#include <span>
#include <string>

#include "command.hpp"
#include "structhash/baselines/methods.hpp"
#include "structhash/hashing/model.hpp"

/// --distance, the same for every command that compares codes.
namespace structhash::cli {

/// "weighted" or "hamming"; throws Errc::usage for any other word.
Distance parse_distance(const std::string& word);

/// Default: weighted if the model has weights.
void add_distance_option(Command& command, std::optional<Distance>& distance);

/// The weights of the bits, or none for plain Hamming distance; `path` names the model in errors.
std::span<const float> weights_for(const HashModel& model, const std::string& path,
                                   std::optional<Distance> distance);

}  // namespace structhash::cli
