// The demo on both embedded data sets.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.hpp"
#include "questions.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;

TEST(Demo, ComparesTheMethodsOnTheDigits) {
  const Json json = Json::parse(run({"demo", "--json", "--bits", "12"}).out);
  EXPECT_EQ(json["bits"], 12);
  const Json& digits = json["data"][1];
  EXPECT_EQ(digits["name"], "digits");
  EXPECT_EQ(digits["queries"], 500);
  EXPECT_EQ(digits["database"], 1297);
  EXPECT_EQ(digits["training"], 1297);
  std::map<std::string, double> map_of;
  for (const Json& row : digits["results"]) {
    map_of[row["method"]] = row["measures"]["map"];
    EXPECT_EQ(row["bits"], 12);
  }
  EXPECT_EQ(map_of.size(), 20U);
  EXPECT_GT(map_of["lsh"], 0.2);  // ten classes: chance is 0.1
  EXPECT_GT(map_of["structhash"], map_of["lsh"] + 0.3);
}

TEST(Demo, LearnedCodesRankQuestionsBetterThanTheVectorsTheyCameFrom) {
  const Outcome outcome = run({"demo", "--json", "--methods", "structhash"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json data = Json::parse(outcome.out)["data"];
  const Json& questions = data[0];
  EXPECT_EQ(questions["name"], "questions");
  EXPECT_EQ(questions["queries"], 500);
  EXPECT_EQ(questions["database"], 2000);
  EXPECT_EQ(questions["training"], 1350);
  std::map<std::pair<std::string, int>, double> map_of;  // by method and bytes
  for (const Json& row : questions["results"]) {
    map_of[{row["method"], row["bytes"]}] = row["measures"]["map"];
  }
  EXPECT_EQ(map_of.size(), 6U);
  const double floats = map_of.at({"float cosine", 1536});
  EXPECT_GT(floats, 0.5);
  EXPECT_LT(map_of.at({"sign bits", 48}), floats);
  EXPECT_GT(map_of.at({"product quantiser", 8}), 0.5);
  EXPECT_GT(map_of.at({"structhash", 8}), floats + 0.25);
  EXPECT_GT(map_of.at({"structhash", 4}), floats + 0.2);
  EXPECT_GT(map_of.at({"structhash", 2}), floats + 0.15);
}

TEST(Demo, ThreadsChangeNothingButTheTime) {
  const auto results = [](const char* threads) {
    Json json = Json::parse(
        run({"demo", "--json", "--methods", "lsh,cca-itq", "--bits", "16", "--threads", threads})
            .out);
    for (Json& data : json["data"]) {
      for (Json& row : data["results"]) {
        row.erase("train_seconds");
      }
    }
    return json;
  };
  EXPECT_EQ(results("1"), results("3"));
}

TEST(Demo, PrintsATableForEachDataSet) {
  const Outcome text = run({"demo", "--methods", "lsh", "--bits", "1"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  for (const char* words : {"Handwritten digits, 500 queries against 1297 others, codes of 1 bits",
                            "Questions of bank customers, 500 queries against 2000 others",
                            "float cosine", "1536", "lsh, 1 bits"}) {
    EXPECT_NE(text.out.find(words), std::string::npos) << words << " in " << text.out;
  }
  const Outcome wrong = run({"demo", "--methods", "lhs"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("lsh"), std::string::npos) << wrong.err;
}

TEST(Demo, TheQuestionsAreWhole) {
  const cli::Questions questions = cli::embedded_questions();
  const Labels& labels = questions.data.labels;
  ASSERT_EQ(questions.data.size(), 3850);
  EXPECT_EQ(questions.data.dimension(), 384);
  EXPECT_EQ(labels.names.size(), 77U);
  std::map<int, int> count;
  for (const int label : labels.classes) {
    ++count[label];
  }
  for (const auto& [label, rows] : count) {
    EXPECT_EQ(rows, 50) << labels.names[static_cast<std::size_t>(label)];
  }
  EXPECT_NEAR(questions.data.features.rowwise().norm().minCoeff(), 1.0F, 1e-3F);
  EXPECT_NEAR(questions.data.features.rowwise().norm().maxCoeff(), 1.0F, 1e-3F);
  EXPECT_EQ(questions.texts[0], "Where do I order a virtual card?");
  EXPECT_EQ(labels.class_text(0), "getting_virtual_card");
  EXPECT_EQ(std::set<std::string>(questions.texts.begin(), questions.texts.end()).size(), 3850U);
}

}  // namespace
}  // namespace structhash::test
