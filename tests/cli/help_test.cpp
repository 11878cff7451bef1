// Nothing to guess: help, version, readable descriptions, errors for programs, logs that end.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;

TEST(Help, IsACommandToo) {
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  EXPECT_EQ(run({"help"}).exit_code, 0);
  EXPECT_EQ(run({"help", "train"}).out, run({"train", "--help"}).out);
  EXPECT_EQ(run({"help", "index", "build"}).out, run({"index", "build", "--help"}).out);
  EXPECT_NE(run({"--help"}).out.find("  help "), std::string::npos);
  const Outcome unknown = run({"help", "trian"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("did you mean 'train'?"), std::string::npos) << unknown.err;
  EXPECT_EQ(run({"-V"}).out, run({"--version"}).out);
  EXPECT_EQ(run({"-V"}).exit_code, 0);
}

/// The words come from the option table of the method.
TEST(Help, TrainListsFunctionsPresetsAndRanges) {
  const std::string help = run({"train", "--help"}).out;
  for (const char* part : {"linear, kernel, stump or tree", "standard, fast or paper", "allowed",
                           "1 to 4,096", "paper: "}) {
    EXPECT_NE(help.find(part), std::string::npos) << part << "\n" << help;
  }
}

TEST(JsonErrors, AreOneObjectOnTheLastLineOfStderr) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  const std::string model = train_tiny_model(folder, data);
  struct Case {
    std::vector<std::string> words;
    int code;
    std::string part;
  };
  for (const auto& [words, code, part] :
       std::vector<Case>{{{"train", "--json"}, 2, "--features is required"},
                         {{"trian", "--json"}, 2, "did you mean 'train'?"},
                         {{"methods", "--jsno", "--json"}, 2, "--jsno"},
                         {{"inspect", data.features, "--json"}, 4, "x.csv"},
                         {{"encode", "--model", model, "--features", folder.file("none.npy"),
                           "--codes", folder.file("c.shc"), "--json"},
                          5,
                          "none.npy"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    const Json json = Json::parse(outcome.err);
    EXPECT_EQ(json.at("exit_code"), code);
    EXPECT_NE(json.at("error").get<std::string>().find(part), std::string::npos) << json;
  }
}

TEST(Inspect, IsReadable) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  const std::string model = folder.file("m.shm");
  ASSERT_EQ(run({"train", "--features", data.features, "--labels", data.labels, "--bits", "12",
                 "--model", model})
                .exit_code,
            0);
  const std::string text = run({"inspect", model}).out;
  EXPECT_EQ(text.find('{'), std::string::npos) << text;
  EXPECT_NE(text.find("method         structhash\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nparameters\n"), std::string::npos) << text;
  EXPECT_NE(text.find("... (12 in all)"), std::string::npos) << text;
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    EXPECT_LE(end - start, 200U) << text.substr(start, end - start);
    start = end + 1;
  }
}

TEST(Progress, LogsEndAtAHundredPercent) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  const std::string model = folder.file("m.shm");
  const Outcome trained = run({"train", "--features", data.features, "--labels", data.labels,
                               "--bits", "8", "--model", model});
  EXPECT_NE(trained.err.find("training  [========================] 100 %"), std::string::npos)
      << trained.err;
  const Outcome encoded = run(
      {"encode", "--model", model, "--features", data.features, "--codes", folder.file("c.shc")});
  EXPECT_NE(encoded.err.find("encoding  [========================] 100 %"), std::string::npos)
      << encoded.err;
}

}  // namespace
}  // namespace structhash::test
