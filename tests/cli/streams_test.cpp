// stdout is data, stderr is for people; colours and moving lines only where they belong.
#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"

namespace structhash::test {
namespace {

constexpr const char* kEscape = "\x1b[";

bool has_escapes(const std::string& text) {
  return text.find(kEscape) != std::string::npos;
}

/// A short command that reports progress and prints a table.
class Streams : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const TwoClusters data_{folder_};
  const std::string model_ = train_tiny_model(folder_, data_);
  const std::vector<std::string> evaluate_{"evaluate",   "--model",      model_,
                                           "--features", data_.features, "--labels",
                                           data_.labels, "--queries",    "20"};

  std::vector<std::string> with_color(const std::string& when) const {
    auto arguments = evaluate_;
    arguments.insert(arguments.end(), {"--color", when});
    return arguments;
  }
};

TEST_F(Streams, ProgressGoesToStderrInPlainLines) {
  const Outcome outcome = run(evaluate_);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out.find("evaluating"), std::string::npos);
  EXPECT_NE(outcome.err.find("evaluating"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find('\r'), std::string::npos);
  EXPECT_FALSE(has_escapes(outcome.out + outcome.err));
}

TEST_F(Streams, ATerminalGetsColoursAndAMovingLine) {
  const Outcome outcome = run_on_terminal(evaluate_, {"TERM=xterm", "NO_COLOR="});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("\r\x1b[K"), std::string::npos);
  EXPECT_NE(outcome.out.find("\x1b[1m"), std::string::npos);
}

TEST_F(Streams, NoColorAndDumbTerminalsAreRespected) {
  const Outcome no_color = run_on_terminal(evaluate_, {"TERM=xterm", "NO_COLOR=1"});
  EXPECT_EQ(no_color.out.find("\x1b[1m"), std::string::npos);
  EXPECT_EQ(no_color.out.find("\x1b[36m"), std::string::npos);
  EXPECT_FALSE(has_escapes(run_on_terminal(evaluate_, {"TERM=dumb", "NO_COLOR="}).out));
  const Outcome never = run_on_terminal(with_color("never"), {"TERM=xterm", "NO_COLOR="});
  EXPECT_EQ(never.out.find("\x1b[1m"), std::string::npos);
}

TEST_F(Streams, ColoursCanBeForced) {
  EXPECT_TRUE(has_escapes(run(with_color("always")).out));
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
