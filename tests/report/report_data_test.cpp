#include "report/report_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/fixture_rows.hpp"
#include "structhash/core/error.hpp"
#include "structhash/report/result_files.hpp"
#include "support/temporary_folder.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;

const ReportResult& result_of(const ReportData& data, const std::string& label, Index bits) {
  for (const ReportResult& result : data.results) {
    if (data.series[result.series].label == label && result.bits == bits) {
      return result;
    }
  }
  throw std::runtime_error("no result of " + label);
}

TEST(ReportData, MeansAndSpreadOverSeeds) {
  const ReportData data = report_data(fixture_rows(), {}, {});
  const ReportValue& ours = result_of(data, "structhash", 32).measures.at("map");
  EXPECT_NEAR(ours.mean, 0.85, 1e-12);
  EXPECT_NEAR(ours.spread.value(), std::sqrt(0.005), 1e-12);  // of 0.8 and 0.9
  EXPECT_FALSE(result_of(data, "structhash", 16).measures.at("map").spread);
  EXPECT_NEAR(result_of(data, "structhash", 32).train_seconds, 2.0, 1e-12);
  EXPECT_EQ(data.bits, (std::vector<Index>{16, 32}));
  EXPECT_EQ(data.datasets, std::vector<std::string>{"digits"});
}

TEST(ReportData, LabelsSayWhatTellsSeriesApart) {
  const ReportData data = report_data(fixture_rows(), {}, {});
  std::vector<std::string> labels;
  for (const ReportSeries& series : data.series) {
    labels.push_back(series.label);
  }
  // Best first, by the distance to the best of each code length.
  EXPECT_EQ(labels, (std::vector<std::string>{"structhash", "structhash (plain Hamming)",
                                              "lsh (a 1)", "lsh (a 2, other)"}));
  EXPECT_TRUE(data.series[0].usual);
  EXPECT_FALSE(data.series[1].usual);
}

TEST(ReportData, LabelsAreNeverTheSame) {
  const ReportData data = report_data({fixture_row("lsh", R"({"a":"x"})", 32, 1, "hamming", 0.5),
                                       fixture_row("lsh", R"({"b":"x"})", 32, 1, "hamming", 0.4)},
                                      {}, {});
  EXPECT_EQ(data.series[0].label, "lsh (x)");
  EXPECT_EQ(data.series[1].label, "lsh (x) #2");
}

TEST(ReportData, QueriesWithoutValuesGiveNoDifference) {
  std::vector<DetailedRow> rows = fixture_rows();
  for (float& value : rows[0].details->per_query["map"]) {
    value = NAN;
  }
  const ReportData data = report_data(std::move(rows), {}, {});
  EXPECT_EQ(result_of(data, "lsh (a 1)", 32).measures.at("map").behind_best->seeds, 1);
}

TEST(ReportData, RowsWithoutTrainingRowsInTheDatabaseAreADataSetOfTheirOwn) {
  std::vector<DetailedRow> rows = fixture_rows();
  for (DetailedRow entry : fixture_rows()) {
    entry.row.database = "without-training";
    rows.push_back(entry);
  }
  const ReportData data = report_data(std::move(rows), {}, {});
  EXPECT_EQ(data.datasets, (std::vector<std::string>{"digits", "digits, training rows left out"}));
}

TEST(ReportData, OneSeedHasADifferenceWithoutInterval) {
  std::vector<DetailedRow> rows = fixture_rows();
  EXPECT_NE(to_json(report_data(rows, {}, {})).find(R"("low")"), std::string::npos);
  std::erase_if(rows, [](const DetailedRow& row) { return row.row.seed != 1; });
  const std::string document = to_json(report_data(std::move(rows), {}, {}));
  EXPECT_NE(document.find(R"("behind_best")"), std::string::npos);
  EXPECT_EQ(document.find(R"("low")"), std::string::npos);
}

TEST(ReportData, BestIsMarkedAndOthersAreComparedWithIt) {
  const ReportData data = report_data(fixture_rows(), {}, {});
  EXPECT_TRUE(result_of(data, "structhash", 32).measures.at("map").best);
  EXPECT_TRUE(result_of(data, "structhash", 16).measures.at("map").best);
  const ReportValue& lsh = result_of(data, "lsh (a 1)", 32).measures.at("map");
  EXPECT_FALSE(lsh.best);
  ASSERT_TRUE(lsh.behind_best);
  EXPECT_NEAR(lsh.behind_best->mean, 0.25, 1e-6);  // 0.4 for seed 1, 0.1 for seed 2
  EXPECT_EQ(lsh.behind_best->seeds, 2);
  EXPECT_EQ(lsh.behind_best->queries, 8);
  // Without details there is nothing to pair.
  EXPECT_FALSE(result_of(data, "lsh (a 2, other)", 32).measures.at("map").behind_best);
}

TEST(ReportData, LaterRowsReplaceEarlierOnes) {
  std::vector<DetailedRow> rows = fixture_rows();
  rows.push_back(fixture_row("structhash", "{}", 16, 1, "weighted", 0.65));
  const ReportData data = report_data(std::move(rows), {}, {});
  EXPECT_NEAR(result_of(data, "structhash", 16).measures.at("map").mean, 0.65, 1e-12);
  EXPECT_EQ(result_of(data, "structhash", 16).rows.size(), 1U);
}

TEST(ReportData, PublishedNumbersStandBesideTheUsualDistance) {
  const ExpectedRow row{.source = "A paper",
                        .table = "1",
                        .dataset = "digits",
                        .method = "structhash",
                        .bits = 32,
                        .measures = {{"map", 0.83}, {"auc", 0.9}}};
  const ReportData data = report_data(fixture_rows(), {row}, {});
  EXPECT_EQ(result_of(data, "structhash", 32).measures.at("map").published->value, 0.83);
  EXPECT_FALSE(result_of(data, "structhash (plain Hamming)", 32).measures.at("map").published);
  EXPECT_FALSE(result_of(data, "structhash", 16).measures.at("map").published);
}

TEST(ReportData, NoRowsAreRefused) {
  EXPECT_THROW(report_data({}, {}, {}), Error);
}

TEST(ReportData, WhatHasAFixedSizeIsShownBesideEveryLengthAndComparedWithNone) {
  std::vector<DetailedRow> rows = fixture_rows();
  for (const auto& [method, bits, map] :
       {std::tuple{"float cosine", 1024, 0.95}, {"pq", 32, 0.2}}) {
    rows.insert(rows.begin(), with_details(fixture_row(method, "{}", bits, 1, "cosine", map)));
    rows.front().row.fixed_size = true;
    rows.front().details->strips = {{.query_text = "why?", .items = {{.text = "because"}}}};
  }
  EXPECT_EQ(parse_row(to_json(rows.front().row)).fixed_size, true);
  EXPECT_EQ(to_json(rows.back().row).find("fixed_size"), std::string::npos);
  const ReportData data = report_data(rows, {}, {});
  EXPECT_EQ(data.bits, (std::vector<Index>{16, 32}));
  EXPECT_EQ(data.series.front().method, "structhash");
  for (std::size_t i = 0; i < 2; ++i) {  // last, and the other results are as without them
    EXPECT_TRUE(data.series[data.series.size() - 1 - i].fixed_size);
  }
  for (const ReportResult& result : data.results) {
    if (data.series[result.series].fixed_size) {
      EXPECT_FALSE(result.measures.at("map").best);
      EXPECT_FALSE(result.measures.at("map").behind_best);
    } else if (result.bits == 32 && data.series[result.series].usual &&
               data.series[result.series].method == "structhash") {
      EXPECT_TRUE(result.measures.at("map").best);
    }
  }
  const Json json = Json::parse(to_json(data));
  EXPECT_EQ(json["series"].back()["fixed_size"], true);
  EXPECT_FALSE(json["series"].front().contains("fixed_size"));
  EXPECT_EQ(json["texts"], Json({"because", "why?"}));
  rows.resize(1);
  EXPECT_EQ(report_data(rows, {}, {}).bits, std::vector<Index>{32});
}

TEST(ReportData, TheDocumentHoldsWhatThePageDraws) {
  ReportNotes notes;
  notes.facts = {{"Command", "structhash report"}};
  const Json json = Json::parse(to_json(report_data(fixture_rows(), {}, notes)));
  EXPECT_EQ(json["title"], "StructHash results");
  EXPECT_EQ(json["measures"][0]["name"], "map");
  EXPECT_NE(json["measures"][0]["summary"], "");
  EXPECT_EQ(json["results"].size(), 5U);
  EXPECT_EQ(json["results"][1]["seeds"], Json({1, 2}));
  EXPECT_EQ(json["results"][1]["measures"]["map"]["best"], true);
  EXPECT_EQ(json["facts"].back()["text"], "structhash report");
  // Curves are means over seeds; training and pictures come from the first seed that has them.
  ASSERT_EQ(json["curves"].size(), 2U);
  EXPECT_EQ(json["curves"][0]["recall"]["y"], Json({0.9, 0.4}));
  EXPECT_EQ(json["curves"][0]["rank"]["x"], Json({1.0, 10.0}));
  ASSERT_EQ(json["training"].size(), 2U);
  EXPECT_EQ(json["training"][0]["objective"], Json({2.0, 1.0}));
  EXPECT_EQ(json["strips"].size(), 2U);
  EXPECT_EQ(json["images"], Json({"data:a", "data:b", "data:query"}));  // once each
  EXPECT_EQ(json["strips"][1]["queries"][0]["items"][1]["image"], 1);
}

TEST(LoadResults, ReadsRowsWithTheirDetails) {
  const TemporaryFolder folder;
  const std::string path = folder.file("r.jsonl");
  std::string text;
  for (const DetailedRow& entry : fixture_rows()) {
    text += to_json(entry.row) + "\n";
    if (entry.details) {
      save_details(details_path(path, entry.row), *entry.details);
    }
  }
  write_bytes(path, text + "{\"dataset\":\"cut o");  // a run that was killed
  const std::vector<DetailedRow> rows = load_results(path);
  ASSERT_EQ(rows.size(), 7U);
  EXPECT_TRUE(rows[0].details);
  EXPECT_FALSE(rows[2].details);
  EXPECT_EQ(rows[0].row.measures, fixture_rows()[0].row.measures);
}

TEST(LoadResults, WrongLinesAreNamed) {
  const TemporaryFolder folder;
  write_bytes(folder.file("r.jsonl"), to_json(fixture_rows()[0].row) + "\n{\"dataset\":1}\n");
  try {
    load_results(folder.file("r.jsonl"));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("r.jsonl, line 2"), std::string::npos) << error.what();
  }
  EXPECT_THROW(load_results(folder.file("none.jsonl")), Error);
}

}  // namespace
}  // namespace structhash::test
