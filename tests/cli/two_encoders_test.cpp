// train --query-features of another kind: two encoders in one model.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "structhash/codes/code_io.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/data/loaders.hpp"
#include "structhash/hashing/model_io.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// Three clusters; the centres are those of the seed.
std::string clusters(int rows, int columns, std::uint64_t seed) {
  Rng centres(Seed{seed});
  std::vector<double> centre(3U * static_cast<std::size_t>(columns));
  for (double& value : centre) {
    value = 3.0 * centres.normal();
  }
  Rng rng(Seed{seed + 100});
  std::string lines;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const double value = centre[static_cast<std::size_t>(row % 3 * columns + column)];
      lines += (column > 0 ? "," : "") + std::to_string(value + rng.normal());
    }
    lines += "\n";
  }
  return lines;
}

std::string classes(int rows, const char* prefix) {
  std::string lines;
  for (int row = 0; row < rows; ++row) {
    lines += prefix + std::to_string(row % 3) + "\n";
  }
  return lines;
}

/// 120 items of eight columns and 90 queries of five, in the same three classes.
class TwoEncoders : public testing::Test {
 protected:
  TwoEncoders() {
    write_bytes(x_, clusters(120, 8, 1));
    write_bytes(y_, classes(120, "class-"));
    write_bytes(q_, clusters(90, 5, 2));
    write_bytes(qy_, classes(90, "class-"));
    std::string judged;
    for (int query = 0; query < 90; ++query) {
      for (int item = query % 3; item < 120; item += 3) {
        judged += std::to_string(query + 1) + " 0 " + std::to_string(item + 1) + " 1\n";
      }
    }
    write_bytes(qrels_, judged);
  }
  Outcome command(const char* name, const Words& more) const {
    Words arguments{name, "--model", model_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  Outcome train(const Words& more) const {
    Words arguments{"--features", x_, "--query-features", q_, "--bits", "16", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return command("train", arguments);
  }

  const TemporaryFolder folder_;
  const std::string x_ = folder_.file("x.csv");
  const std::string y_ = folder_.file("y.csv");
  const std::string q_ = folder_.file("q.csv");
  const std::string qy_ = folder_.file("qy.csv");
  const std::string qrels_ = folder_.file("qrels");
  const std::string model_ = folder_.file("m.shm");
};

TEST_F(TwoEncoders, TrainEncodeSearchEvaluate) {
  const Words labels{"--labels", y_, "--query-labels", qy_};
  const Words judgments{"--relevance", qrels_};
  for (const Words& supervision : {labels, judgments}) {
    Words options = supervision;
    options.insert(options.end(), {"--queries", "30"});
    const Outcome trained = train(options);
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    const Json said = Json::parse(trained.out);
    EXPECT_EQ(said["dimension"], 8);
    EXPECT_EQ(said["query_dimension"], 5);
    EXPECT_EQ(said["query_rows"], 60);
    EXPECT_EQ(said["rows"], 180);

    for (const char* distance : {"adaptive", "asymmetric", "weighted", "hamming"}) {
      Words evaluation = options;
      evaluation.insert(evaluation.end(), {"--features", x_, "--query-features", q_, "--measures",
                                           "map", "--distance", distance, "--json"});
      const Outcome evaluated = command("evaluate", evaluation);
      ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
      const Json result = Json::parse(evaluated.out);
      EXPECT_GT(result["measures"]["map"], 0.8) << distance;  // chance is a third
      EXPECT_EQ(result["queries"], 30);
      EXPECT_EQ(result["queries_from_training"], 0);
    }
  }
  const HashModel model = load_model(model_);
  const std::string codes = folder_.file("c.shc");
  const std::string of_queries = folder_.file("q.shc");
  ASSERT_EQ(command("encode", {"--features", x_, "--codes", codes}).exit_code, 0);
  ASSERT_EQ(command("encode", {"--features", q_, "--codes", of_queries, "--as-queries"}).exit_code,
            0);
  EXPECT_EQ(load_codes(of_queries), encode_queries(model, load_features(std::vector{q_}), 1));
  const Outcome found =
      command("search", {"--codes", codes, "--queries", q_, "--k", "5", "--json"});
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const Json first = Json::parse(found.out)["first"];
  for (std::size_t query = 0; query < 5; ++query) {
    EXPECT_EQ(first[query]["neighbours"][0].get<std::size_t>() % 3, query % 3);
  }
  EXPECT_EQ(command("encode", {"--features", x_, "--codes", codes, "--bits", "8"}).exit_code, 0);
  EXPECT_EQ(command("search", {"--codes", codes, "--queries", q_, "--k", "5"}).exit_code, 0);
  EXPECT_EQ(
      run({"index", "build", "--model", model_, "--features", x_, "--out", folder_.file("i.shi")})
          .exit_code,
      0);
  EXPECT_EQ(
      command("search", {"--index", folder_.file("i.shi"), "--queries", q_, "--k", "5"}).exit_code,
      0);
  const Json header = Json::parse(run({"inspect", model_, "--json"}).out)["header"];
  EXPECT_EQ(header["encoder"], "kernel+kernel");
  EXPECT_EQ(header["query_dimension"], 5);
}

TEST_F(TwoEncoders, OfAsManyColumnsWhereAsked) {
  write_bytes(q_, clusters(90, 8, 2));
  const Outcome one = train({"--labels", y_, "--query-labels", qy_});
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_FALSE(Json::parse(one.out).contains("query_dimension"));
  EXPECT_FALSE(load_model(model_).query_encoder);
  const Outcome two = train({"--labels", y_, "--query-labels", qy_, "--two-encoders"});
  ASSERT_EQ(two.exit_code, 0) << two.err;
  EXPECT_EQ(Json::parse(two.out)["query_dimension"], 8);
  EXPECT_TRUE(load_model(model_).query_encoder);
}

TEST_F(TwoEncoders, WarnsOfQueriesThatWereTrainedOn) {
  ASSERT_EQ(train({"--relevance", qrels_}).exit_code, 0);
  const Outcome evaluated =
      command("evaluate", {"--features", x_, "--query-features", q_, "--relevance", qrels_});
  EXPECT_EQ(evaluated.exit_code, 0);
  EXPECT_NE(evaluated.err.find("are training rows of this model"), std::string::npos);
}

TEST_F(TwoEncoders, MemoryIsPredictedForBoth) {
  const Words judged{"--relevance", qrels_, "--memory-limit"};
  Words enough = judged;
  enough.emplace_back("200MiB");
  EXPECT_EQ(train(enough).exit_code, 0);
  Words short_of = judged;
  short_of.emplace_back("20MiB");
  EXPECT_EQ(train(short_of).exit_code, 5);
}

TEST_F(TwoEncoders, WhatCannotWorkIsRefusedByName) {
  const auto refused = [](const Outcome& outcome, int code, const std::string& words) {
    EXPECT_EQ(outcome.exit_code, code) << words;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  };
  const Words judged{"--relevance", qrels_};
  const auto with = [&](const Words& more) {
    Words all = judged;
    all.insert(all.end(), more.begin(), more.end());
    return train(all);
  };
  refused(with({"--functions", "tree"}), 2, "tree functions learn one encoder");
  refused(with({"--method", "cgh"}), 2, "structhash learns two");
  refused(with({"--tune"}), 2, "tune cannot be used with queries of another kind");
  refused(with({"--preset", "paper"}), 2, "stump-start");
  refused(with({"--train-size", "50"}), 2, "--train-size cannot be combined");
  refused(with({"--shards", "2"}), 2, "--shards");
  refused(with({"--sparse-components", "2", "--two-encoders"}), 2, "make the features dense");
  refused(with({"--query-labels", qy_}), 2, "cannot be combined");
  refused(train({"--labels", y_}), 2, "--query-labels");
  refused(command("train", {"--features", x_, "--labels", y_, "--two-encoders"}), 2,
          "--query-features");
  refused(command("train", {"--features", x_, "--labels", y_, "--query-labels", qy_}), 2,
          "--query-features");
  write_bytes(qy_, "1\n2\n");
  refused(train({"--labels", y_, "--query-labels", qy_}), 3, "2 labels");
  write_bytes(qy_, [] {
    std::string numbers;
    for (int row = 0; row < 90; ++row) {
      numbers += std::to_string(row % 3) + "\n";
    }
    return numbers;
  }());
  refused(train({"--labels", y_, "--query-labels", qy_}), 3, "of the same kind");

  ASSERT_EQ(with({}).exit_code, 0);
  refused(command("evaluate", {"--features", x_, "--labels", y_, "--queries", "10"}), 2,
          "--query-features");
  refused(command("evaluate", {"--features", x_, "--query-features", q_, "--nearest", "0.1"}), 2,
          "two kinds");
  const std::string codes = folder_.file("c.shc");
  refused(command("encode", {"--features", q_, "--codes", codes}), 3, "8");
  refused(command("encode", {"--features", x_, "--codes", codes, "--as-queries"}), 3, "5");
  ASSERT_EQ(command("encode", {"--features", x_, "--codes", codes}).exit_code, 0);
  refused(command("search", {"--codes", codes, "--queries", x_, "--k", "5"}), 3, "5");
}

}  // namespace
}  // namespace structhash::test
