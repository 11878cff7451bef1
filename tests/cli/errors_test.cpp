// Every exit code, and what is said about it.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"

namespace structhash::test {
namespace {

/// One error line that holds all the words; nothing on stdout.
void expect_error(const Outcome& outcome, int exit_code, const std::vector<std::string>& words) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("structhash: error: "), std::string::npos) << outcome.err;
  for (const std::string& word : words) {
    EXPECT_NE(outcome.err.find(word), std::string::npos) << word << "\n" << outcome.err;
  }
}

class Errors : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const TwoClusters data_{folder_};

  Outcome train(const std::string& features, const std::string& labels,
                const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"train",      "--method", "lsh",
                                       "--features", features,   "--labels",
                                       labels,       "--model",  folder_.file("m.shm")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

TEST_F(Errors, WrongNamesGetASuggestion) {
  expect_error(run({"trian"}), 2, {"unknown command 'trian'", "did you mean 'train'?"});
  expect_error(
      run({"train", "--featurs", "x"}), 2,
      {"unknown option '--featurs'", "did you mean '--features'?", "structhash train --help"});
  expect_error(run({"methods", "--jsno"}), 2, {"did you mean '--json'?"});
  expect_error(run({"methods", "--color", "allways"}), 2, {"did you mean 'always'?"});
  expect_error(run({"train", "--method", "lhs", "--features", data_.features, "--model",
                    folder_.file("m.shm")}),
               2, {"unknown method 'lhs'", "did you mean 'lsh'?"});
  const std::string model = train_tiny_model(folder_, data_);
  const std::vector<std::string> evaluate{"evaluate",   "--model",      model,
                                          "--features", data_.features, "--labels",
                                          data_.labels, "--queries",    "9"};
  auto with = [&evaluate](const std::string& option, const std::string& value) {
    auto arguments = evaluate;
    arguments.push_back(option);
    arguments.push_back(value);
    return run(arguments);
  };
  expect_error(with("--measures", "ndgc@10"), 2, {"ndgc", "ndcg"});
  expect_error(with("--distance", "haming"), 2, {"did you mean 'hamming'?"});
  expect_error(with("--distance", "weighted"), 2, {model, "no bit weights"});
  expect_error(with("--ties", "wrost"), 2, {"wrost", "worst"});
}

TEST_F(Errors, ExportIsHandedToPython) {
  const std::vector<std::string> words{"export", "faiss", "codes.shc", "--out", "a folder"};
  expect_error(run(words, {"STRUCTHASH_PYTHON=" + folder_.file("gone")}), 2,
               {"export needs Python", "gone", "STRUCTHASH_PYTHON"});
  const std::string python = folder_.file("python");
  test::write_bytes(python, "#!/bin/sh\nshift 2\nfor word; do echo \"[$word]\"; done\nexit 4\n");
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  const Outcome outcome = run(words, {"STRUCTHASH_PYTHON=" + python});
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(outcome.out, "[faiss]\n[codes.shc]\n[--out]\n[a folder]\n");
}

TEST_F(Errors, UsageIsTwo) {
  EXPECT_EQ(run({}).exit_code, 2);
  expect_error(run({"train"}), 2, {"--features"});
  expect_error(train(data_.features, data_.labels, {"--bits", "many"}), 2,
               {"--bits", "'many' is not a whole number of 1 or more"});
  expect_error(train(data_.features, data_.labels, {"--method", "lsh"}), 2,
               {"--method is given more than once"});
  expect_error(train(data_.features, data_.labels, {"--bits", "0"}), 2,
               {"--bits", "'0' is not a whole number of 1 or more"});
  expect_error(train(data_.features, data_.labels, {"--threads", "-1"}), 2, {"--threads", "'-1'"});
  expect_error(run({"train", "--features"}), 2, {"--features needs a value"});
  expect_error(run({"measures", "extra"}), 2, {"'extra' was not expected here"});
  expect_error(run({"methods", "lhs"}), 2, {"unknown method 'lhs'; did you mean 'lsh'?"});
  expect_error(train(data_.features, data_.labels, {"--bits", "5000"}), 2,
               {"bits must be 1 to 4,096, got 5000"});
  expect_error(train(data_.features, data_.labels, {"--option", "width=0.5"}), 2,
               {"width has no effect on linear functions; leave it out"});
  expect_error(
      train(data_.features, data_.labels, {"--functions", "kernel", "--option", "width=-2"}), 2,
      {"width must be above 0, or auto, got -2"});
  expect_error(train(data_.features, data_.labels, {"--checkpoint", folder_.file("c")}), 2,
               {"method lsh has no checkpoints; leave out --checkpoint"});
  expect_error(train(data_.features, data_.labels, {"--option", "nonsense"}), 2,
               {"--option", "name=value"});
  expect_error(train(data_.features, data_.labels, {"--queries", "500"}), 2, {"500", "80"});
  const std::string model = train_tiny_model(folder_, data_);
  expect_error(
      run({"evaluate", "--model", model, "--features", data_.features, "--labels", data_.labels}),
      2, {"--query-features", "--queries"});
}

TEST_F(Errors, BadDataIsThreeAndNamesFileRowAndColumn) {
  write_bytes(folder_.file("nan.csv"), "1,2,3\n4,nan,6\n");
  write_bytes(folder_.file("two.csv"), "0\n1\n");
  expect_error(train(folder_.file("nan.csv"), folder_.file("two.csv")), 3,
               {"nan.csv", "row 2", "column 2"});
  write_bytes(folder_.file("word.csv"), "1,2,3\n4,5,x\n");
  expect_error(train(folder_.file("word.csv"), folder_.file("two.csv")), 3,
               {"word.csv", "row 2", "column 3"});
  expect_error(train(data_.features, folder_.file("two.csv")), 3, {"two.csv", "2", "80"});
  const std::string model = train_tiny_model(folder_, data_);
  write_bytes(folder_.file("narrow.csv"), "1,2,3\n");
  expect_error(run({"encode", "--model", model, "--features", folder_.file("narrow.csv"), "--codes",
                    folder_.file("c.shc")}),
               3, {"narrow.csv", "3", "8"});
  EXPECT_FALSE(std::filesystem::exists(folder_.file("c.shc")));
}

TEST_F(Errors, DamagedFilesAreFour) {
  const std::string model = train_tiny_model(folder_, data_);
  std::string bytes = read_bytes(model);
  bytes[bytes.size() / 2] ^= 1;
  write_bytes(folder_.file("damaged.shm"), bytes);
  expect_error(run({"encode", "--model", folder_.file("damaged.shm"), "--features", data_.features,
                    "--codes", folder_.file("c.shc")}),
               4, {"damaged.shm"});
  const Outcome inspected = run({"inspect", folder_.file("damaged.shm")});
  EXPECT_EQ(inspected.exit_code, 4) << inspected.err;
  expect_error(run({"inspect", data_.features}), 4, {"x.csv"});
}

TEST_F(Errors, InputAndOutputIsFive) {
  expect_error(train(folder_.file("missing.csv"), data_.labels), 5, {"missing.csv"});
  const Outcome unwritable =
      run({"train", "--method", "lsh", "--features", data_.features, "--labels", data_.labels,
           "--model", folder_.file("no/such/folder/m.shm")});
  expect_error(unwritable, 5, {"no/such/folder/m.shm"});
}

/// Waits for a word on stderr, sends the signal, and expects exit code 6 and no new file.
void expect_interrupted(const TemporaryFolder& folder, const std::vector<std::string>& arguments,
                        const std::string& when, int signal) {
  const auto before = folder.entries();
  RunningCommand command(arguments);
  while (command.err_so_far().find(when) == std::string::npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  command.send(signal);
  expect_error(command.finish(), 6, {});
  EXPECT_EQ(folder.entries(), before);
}

TEST_F(Errors, InterruptedIsSixAndLeavesNothingBehind) {
  // Enough work that the signal arrives in the middle of it.
  const TemporaryFolder folder;
  const TwoClusters data(folder, 60000);
  const std::string model = train_tiny_model(folder, data);
  for (const int signal : {SIGINT, SIGTERM}) {
    expect_interrupted(folder,
                       {"evaluate", "--model", model, "--features", data.features, "--labels",
                        data.labels, "--queries", "30000", "--run", folder.file("run.trec")},
                       "evaluating", signal);
  }
  expect_interrupted(folder,
                     {"train", "--method", "structhash", "--features", data.features, "--labels",
                      data.labels, "--train-size", "4000", "--model", folder.file("m.shm")},
                     " %", SIGINT);  // whatever the stage is called
}

}  // namespace
}  // namespace structhash::test
