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

TEST(Streams, ProgressGoesToStderrInPlainLines) {
  const Outcome demo = run({"demo", "--methods", "lsh"});
  EXPECT_EQ(demo.out.find("comparing"), std::string::npos);
  EXPECT_NE(demo.err.find("comparing methods"), std::string::npos) << demo.err;
  EXPECT_EQ(demo.err.find('\r'), std::string::npos);
  EXPECT_FALSE(has_escapes(demo.out + demo.err));
}

TEST(Streams, ATerminalGetsColoursAndAMovingLine) {
  const Outcome demo = run_on_terminal({"demo", "--methods", "lsh"}, {"TERM=xterm", "NO_COLOR="});
  EXPECT_EQ(demo.exit_code, 0);
  EXPECT_NE(demo.out.find("\r\x1b[K"), std::string::npos);
  EXPECT_NE(demo.out.find("\x1b[1m"), std::string::npos);
}

TEST(Streams, NoColorAndDumbTerminalsAreRespected) {
  const Outcome no_color =
      run_on_terminal({"demo", "--methods", "lsh"}, {"TERM=xterm", "NO_COLOR=1"});
  EXPECT_EQ(no_color.out.find("\x1b[1m"), std::string::npos);
  EXPECT_EQ(no_color.out.find("\x1b[36m"), std::string::npos);
  EXPECT_FALSE(
      has_escapes(run_on_terminal({"demo", "--methods", "lsh"}, {"TERM=dumb", "NO_COLOR="}).out));
  const Outcome never =
      run_on_terminal({"demo", "--methods", "lsh", "--color", "never"}, {"TERM=xterm"});
  EXPECT_EQ(never.out.find("\x1b[1m"), std::string::npos);
}

TEST(Streams, ColoursCanBeForced) {
  EXPECT_TRUE(has_escapes(run({"demo", "--methods", "lsh", "--color", "always"}).out));
  EXPECT_TRUE(has_escapes(run({"trian", "--color=always"}).err) ||
              has_escapes(run({"--color=always", "trian"}).err));
}

TEST(Streams, AFullDiskUnderStdoutIsAnInputOutputError) {
  const Outcome outcome = run_with_stdout("/dev/full", {"measures"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace structhash::test
