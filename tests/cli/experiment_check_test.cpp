// Experiments that would mislead are refused before their first cell.
#include <gtest/gtest.h>
#include <sys/file.h>

#include <fcntl.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;

class ExperimentCheck : public testing::Test {
 protected:
  Outcome run_it(const Json& experiment, const std::vector<std::string>& more = {}) const {
    write_bytes(folder_.file("e.json"), experiment.dump());
    std::vector<std::string> arguments{"experiment", folder_.file("e.json"), "--results", rows_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  /// Before the first cell: without a results file.
  void expect_refused(const Json& experiment, const std::string& words, int code = 2) const {
    const Outcome outcome = run_it(experiment);
    EXPECT_EQ(outcome.exit_code, code) << words << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << words << "\n" << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(rows_)) << words;
  }

  const TemporaryFolder folder_;
  const TwoClusters data_{folder_};
  const std::string rows_ = folder_.file("rows.jsonl");
  const Json good_{
      {"datasets", {{{"name", "two"}, {"features", {data_.features}}, {"labels", {data_.labels}}}}},
      {"protocol", {{"queries", 20}, {"train", 60}}},
      {"methods", {{{"method", "lsh"}}}},
      {"bits", {4}},
      {"seeds", {1}},
      {"measures", {"map"}}};
};

TEST_F(ExperimentCheck, NothingIsGivenTwice) {
  Json twice = good_;
  twice["measures"] = {"map", "map"};
  expect_refused(twice, "measure map twice");
  twice = good_;
  twice["datasets"].push_back(twice["datasets"][0]);
  twice["datasets"][1]["features"] = {data_.labels};
  expect_refused(twice, "data set two twice");
  twice = good_;
  twice["seeds"] = {1, 2, 1};
  expect_refused(twice, "seed 1 twice");
  twice = good_;
  twice["bits"] = {4, 4};
  expect_refused(twice, "bits 4 twice");
  twice = good_;
  twice["methods"] = {{{"method", "itq"}, {"train", 50}, {"iterations", 3}},
                      {{"method", "itq"}, {"iterations", 3}, {"train", 50}}};
  expect_refused(twice, "method itq");
}

TEST_F(ExperimentCheck, TrainingRowsOfADataSetReplaceThoseOfTheProtocol) {
  Json smaller = good_;
  smaller["protocol"]["train"] = 70;  // too many for the 80 rows
  smaller["datasets"][0]["train"] = 30;
  EXPECT_EQ(run_it(smaller).exit_code, 0);
}

TEST_F(ExperimentCheck, NamesFilesAndOptionsAreCheckedFirst) {
  const auto with = [this](const char* path, const Json& value) {
    Json changed = good_;
    changed[Json::json_pointer(path)] = value;
    return changed;
  };
  expect_refused(with("/methods/0/method", "lhs"), "unknown method 'lhs'");
  expect_refused(with("/methods/0/centre", "x"), "centre");
  expect_refused(with("/measures/0", "mpa"), "mpa");
  expect_refused(with("/bits/0", 5000), "bits must be 1 to 4,096, got 5000");
  expect_refused(with("/datasets/0/features/0", "gone.npy"), "gone.npy", 5);
  expect_refused(with("/datasets/0/labels/0", "gone.npy"), "gone.npy", 5);
  expect_refused(with("/datasets/0/labels", Json::array()), "data set two has no labels");
  expect_refused(with("/datasets/0/images", {"gone.png"}), "gone.png");
  expect_refused(with("/datasets/0/texts", {"gone.json"}), "gone.json", 5);
  write_bytes(folder_.file("two.json"), "[\"one\", \"two\"]");
  expect_refused(with("/datasets/0/texts", {"two.json"}), "data set two has 2 texts for 80 rows");
  write_bytes(folder_.file("numbers.json"), "[1, 2]");
  expect_refused(with("/datasets/0/texts", {"numbers.json"}), "is not a JSON list of strings", 3);
  expect_refused(with("/protocol/train", 70), "too few for 20 queries and 70 training rows");
  expect_refused(with("/datasets/0/train", 70), "too few for 20 queries and 70 training rows");
  const auto expecting = [&](const Json& expect) { return with("/expect", Json::array({expect})); };
  const Json at_least{{"map", 0.5}};
  expect_refused(expecting({{"method", "itq"}, {"at_least", at_least}}), "unknown method 'itq'");
  expect_refused(expecting({{"dataset", "tow"}, {"at_least", at_least}}), "unknown data set 'tow'");
  expect_refused(expecting({{"at_least", {{"auc", 0.5}}}}), "unknown measure 'auc'");
}

TEST_F(ExperimentCheck, AMissedExpectationIsAnError) {
  Json experiment = good_;
  experiment["expect"] = {{{"distance", "hamming"}, {"at_least", {{"map", 1.1}}}}};
  const Outcome outcome = run_it(experiment);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.out.find("FAIL"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("1 of 1 expectations are not met"), std::string::npos) << outcome.err;
}

TEST_F(ExperimentCheck, SummaryAsJson) {
  Json experiment = good_;
  experiment["expect"] = {{{"distance", "hamming"}, {"at_least", {{"map", 0.1}}}}};
  const Outcome outcome = run_it(experiment, {"--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["results"], rows_);
  ASSERT_EQ(json["summary"].size(), 2U);  // by Hamming and by adaptive distance
  EXPECT_EQ(json["summary"][0]["dataset"], "two");
  EXPECT_EQ(json["summary"][0]["bits"], 4);
  EXPECT_GT(json["summary"][0]["measures"]["map"].get<double>(), 0.1);
  EXPECT_EQ(json["expect"][0]["passed"], true);
}

TEST_F(ExperimentCheck, OneProcessWritesAResultsFile) {
  ASSERT_EQ(run_it(good_).exit_code, 0);
  const std::string before = read_bytes(rows_);
  const int other = ::open(rows_.c_str(), O_RDWR);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  const Outcome refused = run_it(good_);
  EXPECT_EQ(refused.exit_code, 5) << refused.err;
  EXPECT_NE(refused.err.find("in use by another experiment"), std::string::npos) << refused.err;
  EXPECT_EQ(read_bytes(rows_), before);
  ::close(other);
  EXPECT_EQ(run_it(good_).exit_code, 0);
}

/// Two real processes: cells are run once.
TEST_F(ExperimentCheck, TwoProcessesDoNotRunACellTwice) {
  Json experiment = good_;
  experiment["seeds"] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  write_bytes(folder_.file("e.json"), experiment.dump());
  const std::vector<std::string> arguments{"experiment", folder_.file("e.json"), "--results",
                                           rows_};
  RunningCommand first(arguments);
  RunningCommand second(arguments);
  const int codes = first.finish().exit_code + second.finish().exit_code;
  EXPECT_TRUE(codes == 5 || codes == 0) << codes;  // one is refused, or came after the other
  const std::string rows = read_bytes(rows_);
  EXPECT_EQ(std::ranges::count(rows, '\n'), 20);  // a cell has a row per distance
}

}  // namespace
}  // namespace structhash::test
