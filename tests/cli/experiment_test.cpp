// The experiment command: rows, resuming, verdicts, and what it refuses.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Json tiny_experiment(const TwoClusters& data) {
  return {
      {"datasets", {{{"name", "two"}, {"features", {data.features}}, {"labels", {data.labels}}}}},
      {"protocol", {{"queries", 20}, {"train", 60}, {"relevant", 5}, {"irrelevant", 5}}},
      {"methods",
       {{{"method", "lsh"}},
        {{"method", "structhash"},
         {"measure", "map"},
         {"trade-off", 10},
         {"ridge", 0.1},
         {"penalty", 0.1},
         {"shrinkage", 0.5}}}},
      {"bits", {4}},
      {"seeds", {1, 2}},
      {"measures", {"map"}},
      {"expect",
       {{{"method", "structhash"}, {"at_least", {{"map", 0.9}}}},
        {{"method", "structhash"},
         {"within", {{"map", 0.0}}},
         {"among", {{"method", "lsh"}, {"distance", "hamming"}}}},
        {{"method", "lsh"}, {"distance", "hamming"}, {"at_least", {{"map", 1.1}}}}}}};
}

TEST(Experiment, WritesRowsJudgesThemAndResumes) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  std::ofstream(folder.file("e.json")) << tiny_experiment(data);
  const std::string rows_file = folder.file("rows.jsonl");
  const std::vector<std::string> command{"experiment", folder.file("e.json"), "--results",
                                         rows_file};
  const Outcome first = run(command);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.out.find("pass"), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("FAIL"), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("pass"), first.out.rfind("pass")) << "two of three: " << first.out;
  const std::string rows = text_of(rows_file);
  std::istringstream lines(rows);
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    const Json row = Json::parse(line);
    for (const char* field : {"dataset", "method", "params", "bits", "seed", "distance", "map",
                              "train_seconds", "encode_seconds", "version", "config_hash"}) {
      EXPECT_TRUE(row.contains(field)) << field;
    }
    ++count;
  }
  EXPECT_EQ(count, 6);  // two seeds of lsh, and of structhash under two distances

  // A run that was killed in the middle of a line: the rest is made again, nothing twice.
  const std::size_t third_line = rows.find('\n', rows.find('\n') + 1) + 1;
  std::ofstream(rows_file) << rows.substr(0, third_line + 10);
  const Outcome resumed = run(command);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.err.find("cell 1 of"), std::string::npos) << resumed.err;
  const std::string again = text_of(rows_file);
  EXPECT_EQ(std::ranges::count(again, '\n'), 6);
  EXPECT_EQ(again.substr(0, third_line), rows.substr(0, third_line));
  const Outcome nothing_left = run(command);
  EXPECT_EQ(nothing_left.err.find("cell "), std::string::npos) << nothing_left.err;
}

TEST(Experiment, AMethodMayBeKeptToSomeDataSets) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  Json experiment = tiny_experiment(data);
  experiment["datasets"].push_back(experiment["datasets"][0]);
  experiment["datasets"][1]["name"] = "again";
  experiment["methods"][1]["datasets"] = {"again"};
  std::ofstream(folder.file("e.json")) << experiment;
  const std::string rows_file = folder.file("rows.jsonl");
  ASSERT_EQ(run({"experiment", folder.file("e.json"), "--results", rows_file}).exit_code, 0);
  const std::string rows = text_of(rows_file);
  EXPECT_EQ(std::ranges::count(rows, '\n'), 8);  // 2 x 2 of lsh, 2 x 2 of structhash
  experiment["methods"][1]["datasets"] = {"gone"};
  std::ofstream(folder.file("e.json")) << experiment;
  const Outcome unknown = run({"experiment", folder.file("e.json"), "--results", rows_file});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("gone"), std::string::npos) << unknown.err;
}

TEST(Experiment, RefusesWhatItDoesNotUnderstand) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  const auto outcome_of = [&](const std::string& text) {
    std::ofstream(folder.file("e.json")) << text;
    return run({"experiment", folder.file("e.json"), "--results", folder.file("r.jsonl")});
  };
  EXPECT_EQ(outcome_of("{").exit_code, 2);
  Json misspelt = tiny_experiment(data);
  misspelt["protocl"] = Json::object();
  const Outcome unknown = outcome_of(misspelt.dump());
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("protocl"), std::string::npos) << unknown.err;
  Json without_data = tiny_experiment(data);
  without_data.erase("datasets");
  EXPECT_EQ(outcome_of(without_data.dump()).exit_code, 2);
  EXPECT_EQ(run({"experiment", folder.file("none.json")}).exit_code, 5);
  // A cell that fails does not lose the others.
  Json one_bad = tiny_experiment(data);
  one_bad["methods"].push_back({{"method", "structhash"}, {"functions", "cubic"}});
  const Outcome bad_cell = outcome_of(one_bad.dump());
  EXPECT_EQ(bad_cell.exit_code, 3);
  EXPECT_NE(bad_cell.out.find("lsh"), std::string::npos) << bad_cell.out;
}

}  // namespace
}  // namespace structhash::test
