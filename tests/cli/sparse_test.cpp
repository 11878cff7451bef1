// train --sparse-components: libsvm files that never become dense.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "structhash/core/rng.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;

/// Two classes with words of their own among 50,000 columns.
std::string texts(int rows) {
  Rng rng(Seed{3});
  std::string lines;
  for (int row = 0; row < rows; ++row) {
    lines += std::to_string(row % 2);
    Index column = 0;
    for (int word = 0; word < 20; ++word) {
      column += 1 + rng.below(word < 10 ? 8 : 4'000);
      lines += " " + std::to_string(column + (word < 10 ? 100 * (row % 2) : 0)) + ":1";
      column += word == 9 ? 200 : 0;
    }
    lines += "\n";
  }
  return lines;
}

class Sparse : public testing::Test {
 protected:
  Sparse() { write_bytes(data_, texts(200)); }
  Outcome train(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"train", "--features", data_, "--bits",
                                       "16",    "--model",    model_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  const TemporaryFolder folder_;
  const std::string data_ = folder_.file("words.svm");
  const std::string model_ = folder_.file("m.shm");
};

TEST_F(Sparse, TrainEncodeSearchEvaluate) {
  const Outcome trained = train({"--sparse-components", "12", "--queries", "40", "--json"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_GT(Json::parse(trained.out)["dimension"], 10'000);
  const Outcome evaluated = run({"evaluate", "--model", model_, "--features", data_, "--queries",
                                 "40", "--measures", "map", "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const Json result = Json::parse(evaluated.out);
  EXPECT_GT(result["measures"]["map"], 0.9);
  EXPECT_EQ(result["queries_from_training"], 0);
  const std::string codes = folder_.file("c.shc");
  ASSERT_EQ(run({"encode", "--model", model_, "--features", data_, "--codes", codes}).exit_code, 0);
  for (const char* distance : {"adaptive", "asymmetric", "hamming"}) {
    const Outcome found = run({"search", "--model", model_, "--codes", codes, "--queries", data_,
                               "--k", "3", "--distance", distance, "--json"});
    ASSERT_EQ(found.exit_code, 0) << found.err;
    EXPECT_EQ(Json::parse(found.out)["first"][0]["neighbours"].size(), 3U);
  }
  EXPECT_EQ(run({"index", "build", "--model", model_, "--features", data_, "--out",
                 folder_.file("i.shi")})
                .exit_code,
            0);
}

TEST_F(Sparse, TrainsFromJudgments) {
  std::string qrels;
  for (int query = 1; query <= 20; ++query) {
    for (int item = 1; item <= 200; ++item) {
      qrels += std::to_string(query) + " 0 " + std::to_string(item) + " " +
               std::to_string(query % 2 == item % 2 ? 1 : 0) + "\n";
    }
  }
  write_bytes(folder_.file("qrels"), qrels);
  write_bytes(folder_.file("q.svm"), texts(20));
  const Outcome trained = train({"--sparse-components", "12", "--relevance", folder_.file("qrels"),
                                 "--query-features", folder_.file("q.svm")});
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
}

TEST_F(Sparse, WhatIsNotSparseIsRefused) {
  write_bytes(folder_.file("x.csv"), "1,2\n3,4\n5,6\n");
  write_bytes(folder_.file("y.csv"), "0\n1\n0\n");
  const Outcome dense = run({"train", "--features", folder_.file("x.csv"), "--labels",
                             folder_.file("y.csv"), "--model", model_, "--sparse-components", "2"});
  EXPECT_EQ(dense.exit_code, 3);
  EXPECT_NE(dense.err.find("sparse features are read from libsvm files"), std::string::npos);
  ASSERT_EQ(train({"--sparse-components", "12"}).exit_code, 0);
  const Outcome other = run({"encode", "--model", model_, "--features", folder_.file("x.csv"),
                             "--codes", folder_.file("c.shc")});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_NE(other.err.find("sparse features are read from libsvm files"), std::string::npos);
  const Outcome shards = train({"--sparse-components", "12", "--shards", "4"});
  EXPECT_EQ(shards.exit_code, 2);
  EXPECT_NE(shards.err.find("--sparse-components cannot be combined with --shards"),
            std::string::npos);
  EXPECT_EQ(train({"--sparse-components", "0"}).exit_code, 2);
}

TEST_F(Sparse, MemoryIsPredictedForTheComponents) {
  const Outcome allowed = train({"--sparse-components", "12", "--memory-limit", "200MiB"});
  EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
  const Outcome refused =
      train({"--sparse-components", "190", "--train-size", "195", "--memory-limit", "100MiB"});
  EXPECT_EQ(refused.exit_code, 5) << refused.err;
}

}  // namespace
}  // namespace structhash::test
