#pragma once

#include <string>
#include <vector>

#include "structhash/data/dataset.hpp"

/// The embedded data set of texts: 3,850 questions of bank customers in 77 classes, as sentence
/// embeddings of 384 numbers (data/questions).
namespace structhash::cli {

struct Questions {
  Dataset data;                    // classes have names
  std::vector<std::string> texts;  // one per row
};

Questions embedded_questions();

}  // namespace structhash::cli
