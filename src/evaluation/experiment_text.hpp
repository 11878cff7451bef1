#pragma once

#include <string>
#include <string_view>

#include "structhash/evaluation/experiment.hpp"

namespace structhash {

/// Parses the text of an experiment file; file names stay as written.  `path` is for messages only:
/// no file is read.
Experiment parse_experiment(std::string_view text, const std::string& path);

}  // namespace structhash
