// --bits: the first bits of a model or of codes, the same in every command.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;

class NestedCodes : public testing::Test {
 protected:
  Outcome encode(const std::string& codes, const std::vector<std::string>& more = {}) const {
    return with({"encode", "--model", model_, "--features", data_.features, "--codes", codes},
                more);
  }
  Outcome search(const std::string& codes, const std::string& out) const {
    return run({"search", "--model", model_, "--codes", codes, "--queries", data_.features, "--k",
                "5", "--out", out});
  }
  static Outcome with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  const TemporaryFolder folder_;
  const TwoClusters data_{folder_};
  const std::string model_ = train_tiny_model(folder_, data_);  // lsh, 16 bits
};

TEST_F(NestedCodes, EncodeAndConvertWriteTheSameFile) {
  ASSERT_EQ(encode(folder_.file("all.shc")).exit_code, 0);
  for (const char* bits : {"1", "9", "16"}) {
    const Outcome encoded = encode(folder_.file("short.shc"), {"--bits", bits});
    ASSERT_EQ(encoded.exit_code, 0) << encoded.err;
    EXPECT_NE(encoded.out.find("80 codes of " + std::string(bits) + " bits"), std::string::npos);
    const Outcome converted = run({"convert", "--codes", folder_.file("all.shc"), "--bits", bits,
                                   "--to", "shc", "--out", folder_.file("cut.shc")});
    ASSERT_EQ(converted.exit_code, 0) << converted.err;
    EXPECT_EQ(read_bytes(folder_.file("cut.shc")), read_bytes(folder_.file("short.shc")));
  }
  const Outcome text = run({"convert", "--codes", folder_.file("all.shc"), "--bits", "3", "--to",
                            "pgvector", "--out", folder_.file("text")});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(read_bytes(folder_.file("text")).size(), 80U * 4);
}

TEST_F(NestedCodes, SearchTakesTheFirstBitsOfTheQueriesToo) {
  ASSERT_EQ(encode(folder_.file("short.shc"), {"--bits", "9"}).exit_code, 0);
  const Outcome found = search(folder_.file("short.shc"), folder_.file("hits.tsv"));
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_NE(found.out.find("codes of 9 bits"), std::string::npos) << found.out;
  for (const std::vector<std::string>& from :
       {std::vector<std::string>{"--features", data_.features, "--bits", "9"},
        std::vector<std::string>{"--codes", folder_.file("short.shc")}}) {
    const Outcome built =
        with({"index", "build", "--model", model_, "--out", folder_.file("items.shi")}, from);
    ASSERT_EQ(built.exit_code, 0) << built.err;
    ASSERT_EQ(search(folder_.file("items.shi"), folder_.file("again.tsv")).exit_code, 0);
    EXPECT_EQ(read_bytes(folder_.file("again.tsv")), read_bytes(folder_.file("hits.tsv")));
  }
}

TEST_F(NestedCodes, EvaluateCountsTheFirstBitsAlone) {
  const Outcome evaluated =
      run({"evaluate", "--model", model_, "--features", data_.features, "--labels", data_.labels,
           "--queries", "20", "--measures", "map", "--bits", "2", "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const Json json = Json::parse(evaluated.out);
  EXPECT_EQ(json["bits"], 2);
  EXPECT_EQ(json["parameters"]["truncated_from"], 16);
}

TEST_F(NestedCodes, ATrainingIsContinuedToMoreBits) {
  const auto train = [&](const std::string& bits, const std::string& model,
                         const std::vector<std::string>& more) {
    return with({"train", "--features", data_.features, "--labels", data_.labels, "--bits", bits,
                 "--model", folder_.file(model)},
                more);
  };
  const std::vector<std::string> keep{"--checkpoint", folder_.file("c"), "--keep-checkpoint"};
  ASSERT_EQ(train("4", "first.shm", keep).exit_code, 0);
  ASSERT_TRUE(std::filesystem::exists(folder_.file("c")));
  const Outcome more = train("8", "more.shm", {"--checkpoint", folder_.file("c")});
  ASSERT_EQ(more.exit_code, 0) << more.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.file("c")));
  ASSERT_EQ(train("8", "whole.shm", {}).exit_code, 0);
  EXPECT_EQ(read_bytes(folder_.file("more.shm")), read_bytes(folder_.file("whole.shm")));
  EXPECT_EQ(train("8", "m.shm", {"--keep-checkpoint"}).exit_code, 2);
}

TEST_F(NestedCodes, WhatCannotBeCutIsRefused) {
  const Outcome too_many = encode(folder_.file("c.shc"), {"--bits", "17"});
  EXPECT_EQ(too_many.exit_code, 2);
  EXPECT_NE(too_many.err.find("bits must be 1 to 16"), std::string::npos) << too_many.err;
  EXPECT_EQ(encode(folder_.file("c.shc"), {"--bits", "0"}).exit_code, 2);
  ASSERT_EQ(encode(folder_.file("all.shc")).exit_code, 0);
  const Outcome longer = run({"convert", "--codes", folder_.file("all.shc"), "--bits", "20", "--to",
                              "hex", "--out", folder_.file("out")});
  EXPECT_EQ(longer.exit_code, 2);
  EXPECT_NE(longer.err.find("--bits must be 1 to 16, got 20"), std::string::npos) << longer.err;
  const Outcome trained = run({"train", "--method", "itq", "--features", data_.features, "--bits",
                               "8", "--model", folder_.file("itq.shm")});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Outcome rotated = run({"encode", "--model", folder_.file("itq.shm"), "--features",
                               data_.features, "--bits", "4", "--codes", folder_.file("c.shc")});
  EXPECT_EQ(rotated.exit_code, 2);
  EXPECT_NE(rotated.err.find("itq has no nested codes"), std::string::npos) << rotated.err;
}

}  // namespace
}  // namespace structhash::test
