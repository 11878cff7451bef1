// stdout is data, stderr is for people; colours and moving lines only where they belong.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"

namespace structhash::test {
namespace {

constexpr const char* kEscape = "\x1b[";

bool has_escapes(const std::string& text) {
  return text.find(kEscape) != std::string::npos;
}

/// A command that shows its progress and prints a table.
class Streams : public testing::Test {
 protected:
  std::vector<std::string> with(const std::vector<std::string>& options) const {
    std::vector<std::string> all{"evaluate",   "--model",      model_,
                                 "--features", data_.features, "--labels",
                                 data_.labels, "--queries",    "20"};
    all.insert(all.end(), options.begin(), options.end());
    return all;
  }

  std::string on_terminal(const std::vector<std::string>& environment,
                          const std::vector<std::string>& options = {}) const {
    const Outcome shown = run_on_terminal(with(options), environment);
    EXPECT_EQ(shown.exit_code, 0) << shown.out;
    EXPECT_NE(shown.out.find("precision@100"), std::string::npos) << shown.out;
    return shown.out;
  }

 private:
  TemporaryFolder folder_;
  TwoClusters data_{folder_};
  std::string model_ = train_tiny_model(folder_, data_);
};

TEST_F(Streams, ProgressGoesToStderrInPlainLines) {
  const Outcome plain = run(with({}));
  EXPECT_EQ(plain.out.find("evaluating"), std::string::npos);
  EXPECT_NE(plain.err.find("evaluating"), std::string::npos) << plain.err;
  EXPECT_EQ(plain.err.find('\r'), std::string::npos);
  EXPECT_FALSE(has_escapes(plain.out + plain.err));
}

TEST_F(Streams, ATerminalGetsColoursAndAMovingLine) {
  const std::string shown = on_terminal({"TERM=xterm", "NO_COLOR="});
  EXPECT_NE(shown.find("\r\x1b[K"), std::string::npos);
  EXPECT_NE(shown.find("\x1b[1m"), std::string::npos);
}

TEST_F(Streams, NoColorAndDumbTerminalsAreRespected) {
  const std::string no_color = on_terminal({"TERM=xterm", "NO_COLOR=1"});
  EXPECT_EQ(no_color.find("\x1b[1m"), std::string::npos);
  EXPECT_EQ(no_color.find("\x1b[36m"), std::string::npos);
  EXPECT_FALSE(has_escapes(on_terminal({"TERM=dumb", "NO_COLOR="})));
  EXPECT_EQ(on_terminal({"TERM=xterm"}, {"--color", "never"}).find("\x1b[1m"), std::string::npos);
}

TEST_F(Streams, ColoursCanBeForced) {
  EXPECT_TRUE(has_escapes(run(with({"--color", "always"})).out));
  EXPECT_TRUE(has_escapes(run({"trian", "--color=always"}).err) ||
              has_escapes(run({"--color=always", "trian"}).err));
}

TEST_F(Streams, AFullDiskUnderStdoutIsAnInputOutputError) {
  const Outcome outcome = run_with_stdout("/dev/full", {"measures"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace structhash::test
