// The report command and the page of the demo.  A command built without the chart library has to
// say so; these tests hold either way.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/command.hpp"

namespace structhash::test {
namespace {

constexpr const char* kRows =
    R"({"dataset":"d","method":"lsh","params":{},"bits":8,"seed":1,"distance":"hamming","map":0.5,)"
    R"("train_seconds":0.1,"encode_seconds":0.1,"version":"0.1.0","config_hash":"00"})"
    "\n";

bool has_charts(const Outcome& outcome) {
  return outcome.err.find("without the chart library") == std::string::npos;
}

void expect_page(const Outcome& outcome, const std::string& path) {
  if (!has_charts(outcome)) {
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("scripts/fetch_charts.sh"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path));
    return;
  }
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("The page is in " + path), std::string::npos) << outcome.err;
  const std::string page = read_bytes(path);
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0U);
  EXPECT_NE(page.find("\"label\":\"lsh\""), std::string::npos);
  EXPECT_NE(page.find("vegaEmbed"), std::string::npos);
}

TEST(Report, MakesAPageFromRows) {
  const TemporaryFolder folder;
  write_bytes(folder.file("r.jsonl"), kRows);
  const std::string page = folder.file("page.html");
  expect_page(run({"report", folder.file("r.jsonl"), "--out", page, "--title", "My results"}),
              page);
}

TEST(Report, RefusesWhatItCannotUse) {
  const TemporaryFolder folder;
  write_bytes(folder.file("r.jsonl"), kRows);
  EXPECT_EQ(run({"report", folder.file("r.jsonl")}).exit_code, 2);  // --out is missing
  EXPECT_EQ(run({"report", "--out", folder.file("p.html")}).exit_code, 2);
  const Outcome absent = run({"report", folder.file("no.jsonl"), "--out", folder.file("p.html")});
  if (!has_charts(absent)) {
    GTEST_SKIP() << "the command was built without the chart library";
  }
  EXPECT_EQ(absent.exit_code, 5);
  EXPECT_NE(absent.err.find("no.jsonl"), std::string::npos) << absent.err;
  write_bytes(folder.file("empty.jsonl"), "");
  EXPECT_EQ(run({"report", folder.file("empty.jsonl"), "--out", folder.file("p.html")}).exit_code,
            3);
  std::filesystem::create_directory(folder.file("r.details"));
  write_bytes(folder.file("r.details/00-hamming.json"), "{}");
  const Outcome details = run({"report", folder.file("r.jsonl"), "--out", folder.file("p.html")});
  EXPECT_EQ(details.exit_code, 3);
  EXPECT_NE(details.err.find("00-hamming.json: \"recall\" is missing"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.file("p.html")));
}

TEST(Report, DemoEndsWithAPage) {
  const TemporaryFolder folder;
  const std::string page = folder.file("demo.html");
  expect_page(run({"demo", "--methods", "lsh", "--bits", "16", "--report", page}), page);
}

}  // namespace
}  // namespace structhash::test
