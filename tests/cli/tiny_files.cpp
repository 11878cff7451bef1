#include "cli/tiny_files.hpp"

#include <gtest/gtest.h>

#include "structhash/core/rng.hpp"

namespace structhash::test {

TwoClusters::TwoClusters(const TemporaryFolder& folder, int rows)
    : features(folder.file("x.csv")), labels(folder.file("y.csv")) {
  Rng rng(Seed{7});
  std::string x;
  std::string y;
  for (int row = 0; row < rows; ++row) {
    const int cluster = row % 2;
    for (int column = 0; column < 8; ++column) {
      const double centre = cluster == 0 ? 5.0 : -5.0;
      x += std::to_string(centre + rng.normal()) + (column < 7 ? "," : "\n");
    }
    y += std::to_string(cluster) + "\n";
  }
  write_bytes(features, x);
  write_bytes(labels, y);
}

std::string train_tiny_model(const TemporaryFolder& folder, const TwoClusters& data) {
  std::string model = folder.file("tiny.shm");
  const Outcome trained = run({"train", "--method", "lsh", "--features", data.features, "--labels",
                               data.labels, "--bits", "16", "--model", model});
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  return model;
}

}  // namespace structhash::test
