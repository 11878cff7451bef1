#pragma once

#include <string>

#include "structhash/hashing/model.hpp"

/// Model files (docs/format.md).
namespace structhash {

/// Checks the model and writes it; the same model gives the same bytes.
void save_model(const HashModel& model, const std::string& path);

/// Throws Errc::corrupt_file for anything that `save_model` would not have written.
HashModel load_model(const std::string& path);

/// The model and the identity of its file (Container::identity), from one pass over the file.
struct LoadedModel {
  HashModel model;
  std::string identity;
};
LoadedModel load_model_with_identity(const std::string& path);

}  // namespace structhash
