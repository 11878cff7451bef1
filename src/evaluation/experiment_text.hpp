#pragma once

#include <string>
#include <string_view>

#include "structhash/evaluation/experiment.hpp"

namespace structhash {

/// The text of an experiment file, file names as they stand there; `path` is for messages alone.
/// Touches no file: any text may be given.
Experiment parse_experiment(std::string_view text, const std::string& path);

}  // namespace structhash
