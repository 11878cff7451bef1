#pragma once

#include <string>

#include "cli/command.hpp"

/// Small files to run commands on.
namespace structhash::test {

/// Two far clusters of `rows / 2` rows each in 8 dimensions, as CSV, and their classes 0 and 1.
struct TwoClusters {
  explicit TwoClusters(const TemporaryFolder& folder, int rows = 80);
  std::string features;
  std::string labels;
};

/// A model trained on them; the path of its file.
std::string train_tiny_model(const TemporaryFolder& folder, const TwoClusters& data);

}  // namespace structhash::test
