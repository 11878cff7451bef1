#include "evaluation/experiment_text.hpp"

#include <gtest/gtest.h>

#include "structhash/evaluation/experiment.hpp"
#include "structhash/evaluation/result_row.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace structhash {
namespace {

using test::expect_error;

std::string experiment_with(const std::string& field) {
  return R"({"datasets":[{"name":"d","features":["*.npy"]}],"methods":[{"method":"lsh"}],)" +
         field + "}";
}

TEST(ExperimentText, NamesOfFilesStayAsTheyAre) {
  const Experiment experiment = parse_experiment(experiment_with(R"("bits":[8])"), "e.json");
  ASSERT_EQ(experiment.datasets.size(), 1U);
  EXPECT_EQ(experiment.datasets[0].features, std::vector<std::string>{"*.npy"});
  EXPECT_EQ(experiment.bits, std::vector<Index>{8});
}

TEST(ExperimentText, TrainingRowsOfTheProtocolTheDataSetAndTheMethod) {
  const Experiment experiment = parse_experiment(
      R"({"datasets":[{"name":"a","features":["x"]},{"name":"b","features":["x"],"train":50}],)"
      R"("methods":[{"method":"lsh"},{"method":"itq","train":70}],"protocol":{"train":30}})",
      "e.json");
  std::vector<Index> rows;
  for (const ExperimentCell& cell : cells(experiment)) {
    rows.push_back(train_rows(experiment, cell));
  }
  EXPECT_EQ(rows, (std::vector<Index>{30, 70, 50, 70}));
}

TEST(ExperimentText, WhatIsWrongIsNamed) {
  const auto expect_refused = [](const std::string& field, const std::string& words) {
    expect_error(Errc::usage, words, [&] { parse_experiment(experiment_with(field), "e.json"); });
  };
  expect_refused(R"("bits":[8.5])", "entry 1 of \"bits\" must be a whole number, got 8.5");
  expect_refused(R"("bits":[1e300])", "entry 1 of \"bits\" must be a whole number");
  expect_refused(R"("bits":8)", "\"bits\" must be a list, got 8");
  expect_refused(R"("seeds":[-1])",
                 "entry 1 of \"seeds\" must be a whole number of 0 or more, got -1");
  expect_refused(R"("protocol":{"queries":9223372036854775808})", "\"queries\"");
  expect_refused(R"("bit":[8])", "e.json: unknown field 'bit'; did you mean 'bits'?");
  const std::string deep = "\"about\":" + std::string(100'000, '[') + std::string(100'000, ']');
  expect_refused(deep, "nested too deep");
  expect_refused("", "not valid JSON");
  expect_refused(R"("protocol":[1])", "e.json, \"protocol\": must be a JSON object, got [1]");
  expect_refused(R"("protocol":{"nearest":1})", "\"nearest\" is a share");
  expect_refused(R"("protocol":{"database":"without-trainig"})",
                 "unknown database 'without-trainig'; did you mean 'without-training'?");
  expect_refused(R"("expect":[{"method":"lsh"}])", "needs \"at_least\" or \"within\"");
  expect_error(Errc::usage, "e.json: must be a JSON object, got []",
               [] { parse_experiment("[]", "e.json"); });
  expect_error(Errc::usage, "\"methods\" is missing",
               [] { parse_experiment(R"({"datasets":[]})", "e.json"); });
}

TEST(ExperimentText, DataSetsAndMethodsMustFitEachOther) {
  const auto expect_refused = [](const std::string& dataset, const std::string& method,
                                 const std::string& words) {
    const std::string text = R"({"datasets":[{"name":"d",)" + dataset +
                             R"(}],"methods":[{"method":"lsh")" + method + "}]}";
    expect_error(Errc::usage, words, [&] { parse_experiment(text, "e.json"); });
  };
  const std::string features = R"("features":["x.npy"])";
  expect_refused(features, R"(,"datasets":["d","e"])",
                 "entry 1 of \"methods\": unknown data set 'e'");
  expect_refused(features + R"(,"generate":{})", "", "entry 1 of \"datasets\": needs one of");
  expect_refused(R"("labels":["y.npy"])", "", "entry 1 of \"datasets\": needs one of");
  expect_refused(R"("generate":{"row":1})", "",
                 "\"generate\": unknown field 'row'; did you mean 'rows'?");
  expect_refused(R"("descriptor":"sift")", "", "unknown descriptor 'sift'");
  expect_refused(R"("descriptor":"gist","pixels":[8])", "", "must be [height, width]");
  expect_refused(features + R"(,"query_features":["q.npy"])", "", "have no labels");
}

TEST(ExperimentText, ExpectationsAreAboutTheirOwnDataSet) {
  const Experiment experiment = parse_experiment(
      experiment_with(
          R"("expect":[{"dataset":"d","method":"lsh","bits":8,"at_least":{"map":0.5}},)"
          R"({"dataset":"d","within":{"map":0.1},"among":{"except":"lsh","ridge":0.5}}])"),
      "e.json");
  ASSERT_EQ(experiment.expectations.size(), 2U);
  EXPECT_EQ(experiment.expectations[0].rows.bits, 8);
  EXPECT_EQ(experiment.expectations[0].at_least.at("map"), 0.5);
  EXPECT_EQ(experiment.expectations[1].among.dataset, "d");
  EXPECT_EQ(experiment.expectations[1].among.except, "lsh");
  EXPECT_EQ(experiment.expectations[1].among.options.at("ridge"), "0.5");
}

TEST(ExperimentFile, NamesAreRelativeToItsFolderAndStarsStandForFiles) {
  const test::TemporaryFolder folder;
  for (const char* name : {"b.npy", "a.npy", "y.csv"}) {
    test::write_bytes(folder.file(name), "");
  }
  test::write_bytes(
      folder.file("e.json"),
      R"({"datasets":[{"name":"d","features":["*.npy"],"labels":["./y.csv","none-*.csv"]}],)"
      R"("methods":[{"method":"lsh"}]})");
  const Experiment experiment = load_experiment(folder.file("e.json"));
  ASSERT_EQ(experiment.datasets.size(), 1U);
  EXPECT_EQ(experiment.datasets[0].features,
            (std::vector{folder.file("a.npy"), folder.file("b.npy")}));
  // A name that nothing matches stays, so that the error about it can name it.
  EXPECT_EQ(experiment.datasets[0].labels,
            (std::vector{folder.file("y.csv"), folder.file("none-*.csv")}));
  expect_error(Errc::io, "gone.json", [&] { load_experiment(folder.file("gone.json")); });
}

TEST(ResultRow, DamagedLinesAreRefused) {
  const std::string good =
      R"({"dataset":"d","method":"m","params":{},"bits":8,"seed":1,"distance":"hamming","map":0.5,)"
      R"("train_seconds":0.1,"encode_seconds":0.2,"version":"1","config_hash":"ab"})";
  EXPECT_EQ(parse_row(good).bits, 8);
  EXPECT_EQ(parse_row(good).database, "all");  // rows of earlier versions do not say
  const auto expect_refused = [&](const std::string& from, const std::string& to,
                                  const std::string& words) {
    std::string line = good;
    line.replace(line.find(from), from.size(), to);
    expect_error(Errc::corrupt_file, words, [&] { parse_row(line); });
  };
  expect_refused("\"bits\":8", "\"bits\":1e300", "result row: \"bits\" must be a whole number");
  expect_refused("\"seed\":1", "\"seed\":-1", "\"seed\" must be a whole number");
  expect_refused("\"params\":{}", "\"params\":3", "\"params\" must be an object");
  expect_refused("0.5", "\"high\"", "\"map\" must be a finite number, got \"high\"");
  expect_refused("{}", std::string(100'000, '[') + std::string(100'000, ']'), "too deep");
  expect_refused("\"dataset\"", "\"datset\"", "\"dataset\" is missing");
}

}  // namespace
}  // namespace structhash
