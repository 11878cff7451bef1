#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "structhash/hashing/model_io.hpp"
#include "support/damage.hpp"

namespace structhash::test {

/// A model with this encoder is the same after saving and loading, and no damaged file is read.
inline void expect_safe_in_files(Encoder encoder) {
  const TemporaryFolder folder;
  const HashModel model{.method = "sample", .encoder = std::move(encoder)};
  save_model(model, folder.file("model"));
  EXPECT_EQ(load_model(folder.file("model")), model);
  expect_every_damage_refused(read_bytes(folder.file("model")),
                              [](const std::string& path) { load_model(path); });
}

}  // namespace structhash::test
