// Damaged models, codes and indexes through the command: always exit code 4, never an answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"
#include "structhash/search/code_index.hpp"
#include "support/damage.hpp"

namespace structhash::test {
namespace {

/// A process for each damage takes its time: every `step`-th here, all of them where
/// STRUCTHASH_NIGHTLY is set (scripts/nightly.sh).
int damage_step(int step) {
  return std::getenv("STRUCTHASH_NIGHTLY") != nullptr ? 1 : step;
}

class DamagedFilesOfTheCommand : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const TwoClusters data_{folder_, 6};
  const std::string model_ = train_tiny_model(folder_, data_);
  const std::string codes_ = folder_.file("c.shc");
  const std::string damaged_ = folder_.file("damaged");

  DamagedFilesOfTheCommand() {
    const Outcome encoded = encode(model_, codes_);
    EXPECT_EQ(encoded.exit_code, 0) << encoded.err;
  }

  Outcome encode(const std::string& model, const std::string& codes) const {
    return run({"encode", "--model", model, "--features", data_.features, "--codes", codes});
  }
  Outcome search(const std::string& codes) const {
    return run({"search", "--model", model_, "--codes", codes, "--queries", data_.features});
  }

  /// Damages a file and runs a command on it, as often as the step allows.
  template <typename Command>
  void expect_four(const std::string& file, int step, const Command& command) const {
    DamagedCopy copy(damaged_, read_bytes(file));
    ASSERT_EQ(command().exit_code, 0) << "the undamaged file must be readable";
    const std::ptrdiff_t entries = folder_.entries();
    int number = 0;
    int cases = 0;
    copy.for_every_damage([&](const std::string& what) {
      if (number++ % damage_step(step) != 0) {
        return;
      }
      const Outcome outcome = command();
      EXPECT_EQ(outcome.exit_code, 4) << what << ": " << outcome.err;
      EXPECT_EQ(outcome.out, "") << what;
      EXPECT_NE(outcome.err.find(damaged_), std::string::npos) << what << ": " << outcome.err;
      EXPECT_LE(folder_.entries(), entries) << what << ": a file was written";
      ++cases;
    });
    EXPECT_GE(cases, 170);
  }
};

TEST_F(DamagedFilesOfTheCommand, Models) {
  expect_four(model_, 17, [&] {
    Outcome outcome = encode(damaged_, folder_.file("out.shc"));
    std::filesystem::remove(folder_.file("out.shc"));
    return outcome;
  });
}

TEST_F(DamagedFilesOfTheCommand, Codes) {
  expect_four(codes_, 7, [&] { return search(damaged_); });
}

TEST_F(DamagedFilesOfTheCommand, Indexes) {
  CodeIndex index = CodeIndex::of_code_file(codes_);
  index.prepare();
  index.save(folder_.file("i.shi"));
  expect_four(folder_.file("i.shi"), 13, [&] { return search(damaged_); });
}

}  // namespace
}  // namespace structhash::test
