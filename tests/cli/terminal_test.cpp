#include "terminal.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace structhash::cli {
namespace {

TEST(Duration, IsWrittenAsPeopleSayIt) {
  EXPECT_EQ(duration_text(0.0), "0 s");
  EXPECT_EQ(duration_text(11.2), "12 s");  // rounded up: the last second is not "0 s left"
  EXPECT_EQ(duration_text(185.0), "3 min 05 s");
  EXPECT_EQ(duration_text(7800.0), "2 h 10 min");
}

TEST(ProgressLine, ShowsShareAndTimeLeft) {
  // A quarter done after 5 s: three quarters take 15 s more.
  const std::string line = progress_line({"training", 16.0, 64.0, "loss 0.25"}, 0.0, 5.0, 200);
  EXPECT_EQ(line, "training  [======>                 ]  25 %  15 s left  loss 0.25");
}

TEST(ProgressLine, TimeLeftGoesByWhatWasSeen) {
  // Resumed at 32 of 64: 16 more took 5 s, so the last 16 take another 5 s.
  EXPECT_EQ(progress_line({"training", 48.0, 64.0, ""}, 32.0, 5.0, 200),
            "training  [==================>     ]  75 %  5 s left");
  EXPECT_EQ(progress_line({"training", 32.0, 64.0, ""}, 32.0, 0.0, 200),
            "training  [============>           ]  50 %");
}

TEST(ProgressLine, WithoutATotalShowsNoShare) {
  EXPECT_EQ(progress_line({"reading", 10.0, 0.0, ""}, 0.0, 5.0, 200), "reading");
}

TEST(ProgressLine, AtTheEndNothingIsLeft) {
  EXPECT_EQ(progress_line({"encoding", 7.0, 7.0, ""}, 0.0, 5.0, 200),
            "encoding  [========================] 100 %");
}

TEST(ProgressLine, NeverIsWiderThanTheTerminal) {
  const Progress progress{"training", 1.0, 3.0, std::string(300, 'x')};
  for (int width = 1; width < 100; ++width) {
    EXPECT_LE(progress_line(progress, 0.0, 1.0, width).size(), static_cast<std::size_t>(width));
  }
}

TEST(Table, AlignsNamesLeftAndNumbersRight) {
  EXPECT_EQ(table_text({{"method", "map"}, {"lsh", "0.4"}, {"structhash", "0.9"}}, false),
            "method      map\n"
            "lsh         0.4\n"
            "structhash  0.9\n");
}

TEST(Table, ColourMarksOnlyTheHeader) {
  EXPECT_EQ(table_text({{"a", "b"}, {"c", "d"}}, true), "\x1b[1ma  b\x1b[0m\nc  d\n");
}

TEST(Color, TheOptionBeatsTheEnvironment) {
  setenv("NO_COLOR", "1", 1);
  EXPECT_TRUE(use_color(ColorChoice::always, 1));
  EXPECT_FALSE(use_color(ColorChoice::automatic, 1));
  unsetenv("NO_COLOR");
  EXPECT_FALSE(use_color(ColorChoice::never, 1));
}

}  // namespace
}  // namespace structhash::cli
