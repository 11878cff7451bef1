#include "structhash/evaluation/result_row.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "evaluation/png_data_uri.hpp"
#include "structhash/core/error.hpp"
#include "structhash/evaluation/experiment.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace structhash {
namespace {

RowDetails example() {
  return {.recall = {0.5, 1.0},
          .precision = {0.75, 0.1},
          .ranks = {1, 10, 100},
          .precision_at_rank = {1.0, 0.9, 0.3},
          .objective = {3.5, 2.25},
          .bit_weights = {0.125, 0.0, 2.0},
          .strips = {{.query_image = "data:image/png;base64,AA==",
                      .query_label = "seven",
                      .items = {{.image = "data:image/png;base64,AB==", .relevant = true},
                                {.image = "", .relevant = false, .label = "\"one\""}}},
                     {.query_label = "a class",
                      .query_text = "Where is my card?",
                      .items = {{.relevant = true, .label = "a class", .text = "My card?"}}}},
          .per_query = {{"map", {0.1F, std::numeric_limits<float>::quiet_NaN(), 1.0F}}}};
}

/// The error of a read of the example with one piece of its text replaced.
std::string refusal(const std::string& from, const std::string& to) {
  std::string text = to_json(example());
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in " << text;
  text.replace(at, from.size(), to);
  try {
    parse_details(text, "file.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::bad_data);
    return error.what();
  }
  return "accepted";
}

TEST(RowDetails, ComeBackFromTheFileAsTheyWere) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("new/folder/details.json");
  save_details(path, example());
  const std::optional<RowDetails> loaded = load_details(path);
  ASSERT_TRUE(loaded);
  const RowDetails wanted = example();
  EXPECT_EQ(loaded->recall, wanted.recall);
  EXPECT_EQ(loaded->precision, wanted.precision);
  EXPECT_EQ(loaded->ranks, wanted.ranks);
  EXPECT_EQ(loaded->precision_at_rank, wanted.precision_at_rank);
  EXPECT_EQ(loaded->objective, wanted.objective);
  EXPECT_EQ(loaded->bit_weights, wanted.bit_weights);
  EXPECT_EQ(loaded->strips, wanted.strips);
  const std::vector<float>& values = loaded->per_query.at("map");
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(values[0], 0.1F);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_EQ(values[2], 1.0F);
}

TEST(RowDetails, FloatsAreWrittenShortAndNoValueAsNull) {
  EXPECT_NE(to_json(example()).find("\"map\":[0.1,null,1.0]"), std::string::npos);
}

TEST(RowDetails, AbsentFileIsNoDetails) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(load_details(folder.file("none.json")));
}

TEST(RowDetails, WrongFilesAreRefusedWithFileAndField) {
  EXPECT_EQ(refusal("\"recall\"", "\"recal\""), "file.json: \"recall\" is missing");
  EXPECT_EQ(refusal("{\"recall\"", "{\"more\":1,\"recall\""),
            "file.json: unknown field 'more'. Known: bit_weights, objective, per_query, precision, "
            "precision_at_rank, ranks, recall, strips");
  EXPECT_EQ(refusal("[3.5,2.25]", "3.5"), "file.json: \"objective\" must be a list, got 3.5");
  EXPECT_EQ(refusal("[3.5,2.25]", "[3.5,\"x\"]"),
            "file.json: entry 2 of \"objective\" must be a finite number, got \"x\"");
  EXPECT_EQ(refusal("[0.5,1.0]", "[0.5]"),
            "file.json: \"precision\" must be as long as \"recall\"");
  EXPECT_EQ(refusal("[1.0,10.0,100.0]", "[1]"),
            "file.json: \"precision_at_rank\" must be as long as \"ranks\"");
  EXPECT_EQ(refusal("\"relevant\":true", "\"relevant\":1"),
            "file.json, entry 1 of \"strips\", entry 1 of \"items\": \"relevant\" must be true or "
            "false, got 1");
  EXPECT_EQ(refusal("\"query_label\":\"seven\"", "\"query_label\":7"),
            "file.json, entry 1 of \"strips\": \"query_label\" must be a string, got 7");
  EXPECT_EQ(refusal("[0.1,null,1.0]", "[0.1,true,1.0]"),
            "file.json: entry 2 of \"map\" must be a finite number or null, got true");
  EXPECT_EQ(refusal("{\"map\":[0.1,null,1.0]}", "[]"),
            "file.json: \"per_query\" must be an object, got []");
  EXPECT_EQ(refusal("}", ""), "file.json: is not valid JSON, or is nested too deep");
  EXPECT_EQ(refusal("[0.1,null,1.0]", "0.1"), "file.json: \"map\" must be a list, got 0.1");
  EXPECT_EQ(refusal("[0.1,null,1.0]", "[1e300]"),
            "file.json: entry 1 of \"map\" must be a finite number or null, got 1e+300");
  EXPECT_EQ(refusal(to_json(example()), "[]"), "file.json: must be a JSON object, got []");
}

TEST(RowDetails, AFolderThatCannotBeMadeIsNamed) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder.file("file"), "");
  test::expect_error(Errc::io, "cannot create the folder " + folder.file("file/below"),
                     [&] { save_details(folder.file("file/below/details.json"), example()); });
}

TEST(RowDetails, WhatCouldNotBeReadBackIsNotWritten) {
  RowDetails details = example();
  details.objective.push_back(std::numeric_limits<double>::infinity());
  EXPECT_THROW(to_json(details), Error);
  details = example();
  details.precision.pop_back();
  EXPECT_THROW(to_json(details), Error);
  details = example();
  details.per_query["map"][0] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(to_json(details), Error);
}

TEST(RowDetails, StandBesideTheResults) {
  ResultRow row;
  row.config_hash = "00ff";
  row.distance = "weighted";
  EXPECT_EQ(details_path("a/b.jsonl", row), "a/b.details/00ff-weighted.json");
  EXPECT_EQ(details_path("b", row), "b.details/00ff-weighted.json");
  row.config_hash = "../x";
  EXPECT_THROW(details_path("b.jsonl", row), Error);
}

TEST(PngDataUri, IsAPngInBase64) {
  const std::vector<std::uint8_t> pixels{0, 85, 170, 255, 0, 255};
  const std::string uri = png_data_uri(pixels, 2, 3, 1);
  // The first six bytes of every PNG file, 89 50 4E 47 0D 0A, are these eight letters.
  EXPECT_EQ(uri.substr(0, 30), "data:image/png;base64,iVBORw0K");
  EXPECT_EQ((uri.size() - 22) % 4, 0U);
  EXPECT_EQ(png_data_uri(pixels, 2, 1, 3).substr(0, 30), "data:image/png;base64,iVBORw0K");
}

TEST(PngDataUri, RefusesSizesThatDoNotFit) {
  const std::vector<std::uint8_t> pixels(6);
  EXPECT_THROW(png_data_uri(pixels, 2, 2, 1), Error);
  EXPECT_THROW(png_data_uri(pixels, 3, 1, 2), Error);
  EXPECT_THROW(png_data_uri({}, 0, 0, 1), Error);
}

}  // namespace
}  // namespace structhash
