#include "evaluation/experiment_text.hpp"

#include <gtest/gtest.h>

#include "structhash/evaluation/result_row.hpp"
#include "support/expect_error.hpp"

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

TEST(ExperimentText, WhatIsWrongIsNamed) {
  const auto expect_refused = [](const std::string& field, const std::string& words) {
    expect_error(Errc::usage, words, [&] { parse_experiment(experiment_with(field), "e.json"); });
  };
  expect_refused(R"("bits":[8.5])", "\"bits\" has a value of the wrong kind");
  expect_refused(R"("bits":[1e300])", "\"bits\" has a value of the wrong kind");
  expect_refused(R"("bits":8)", "\"bits\" has a value of the wrong kind");
  expect_refused(R"("seeds":[-1])", "\"seeds\" has a value of the wrong kind");
  expect_refused(R"("protocol":{"queries":9223372036854775808})", "\"queries\"");
  expect_refused(R"("bit":[8])", "\"bit\" is not a field");
  const std::string deep = "\"about\":" + std::string(100'000, '[') + std::string(100'000, ']');
  expect_refused(deep, "nested too deep");
  expect_refused("", "not valid JSON");
}

TEST(ResultRow, DamagedLinesAreRefused) {
  const std::string good =
      R"({"dataset":"d","method":"m","params":{},"bits":8,"seed":1,"distance":"hamming","map":0.5,)"
      R"("train_seconds":0.1,"encode_seconds":0.2,"version":"1","config_hash":"ab"})";
  EXPECT_EQ(parse_row(good).bits, 8);
  const auto expect_refused = [&](const std::string& from, const std::string& to,
                                  const std::string& words) {
    std::string line = good;
    line.replace(line.find(from), from.size(), to);
    expect_error(Errc::corrupt_file, words, [&] { parse_row(line); });
  };
  expect_refused("\"bits\":8", "\"bits\":1e300", "'bits'");
  expect_refused("\"seed\":1", "\"seed\":-1", "'seed'");
  expect_refused("\"params\":{}", "\"params\":3", "'params'");
  expect_refused("0.5", "\"high\"", "cannot be read");
  expect_refused("{}", std::string(100'000, '[') + std::string(100'000, ']'), "too deep");
  expect_refused("\"dataset\"", "\"datset\"", "cannot be read");
}

}  // namespace
}  // namespace structhash
