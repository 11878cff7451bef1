// Labels and ids as users have them: text, columns of one csv file, judgments with any ids.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace structhash::test {
namespace {

using Words = std::vector<std::string>;

/// 40 rows: id, four features, species; two species far apart.
class Columns : public testing::Test {
 protected:
  void SetUp() override {
    std::string table = "name,a,b,c,d,species\n";
    std::string ids;
    std::string features;
    for (int row = 0; row < 40; ++row) {
      const int side = row % 2 == 0 ? 5 : -5;
      std::string numbers;
      for (int column = 0; column < 4; ++column) {
        numbers += (column > 0 ? "," : "") + std::to_string(side + 0.1 * ((row * 7 + column) % 5));
      }
      const std::string id = "flower-" + std::to_string(row);
      table += id + "," + numbers + "," + (row % 2 == 0 ? "setosa" : "\"iris, other\"") + "\n";
      ids += id + "\n";
      features += numbers + "\n";
    }
    write_bytes(table_, table);
    write_bytes(ids_, ids);
    write_bytes(features_, features);
  }

  Outcome train(const Words& more = {}) const {
    Words words{"train",       "--features", table_,        "--label-column", "species",
                "--id-column", "name",       "--functions", "linear",         "--bits",
                "4",           "--model",    model_};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  const TemporaryFolder folder_;
  const std::string table_ = folder_.file("flowers.csv");
  const std::string ids_ = folder_.file("ids.txt");
  const std::string features_ = folder_.file("x.csv");
  const std::string model_ = folder_.file("m.shm");
};

TEST_F(Columns, TrainEvaluateInspect) {
  const Outcome trained = train();
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_NE(trained.err.find(table_ + ": 40 rows, a header line, 6 columns: 4 features, label in "
                                      "column 6 ('species'), id in column 1 ('name')"),
            std::string::npos)
      << trained.err;
  const Outcome shown = run({"inspect", model_, "--json"});
  const auto header = nlohmann::json::parse(shown.out).at("header");
  EXPECT_EQ(header.at("dimension"), 4);
  EXPECT_EQ(header.at("parameters").at("classes"),
            nlohmann::json::array({"iris, other", "setosa"}));
  const Outcome evaluated =
      run({"evaluate", "--model", model_, "--features", table_, "--label-column", "species",
           "--drop-columns", "name", "--queries", "10", "--measures", "map", "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_EQ(nlohmann::json::parse(evaluated.out).at("measures").at("map"), 1.0);
}

TEST_F(Columns, ModelsOfNumbersHaveNoClassNames) {
  std::string labels;
  for (int row = 0; row < 40; ++row) {
    labels += std::to_string(row % 2) + "\n";
  }
  write_bytes(folder_.file("y.csv"), labels);
  ASSERT_EQ(run({"train", "--features", features_, "--labels", folder_.file("y.csv"), "--bits", "4",
                 "--functions", "linear", "--model", model_})
                .exit_code,
            0);
  EXPECT_EQ(run({"inspect", model_, "--json"}).out.find("\"classes\""), std::string::npos);
}

TEST_F(Columns, LabelColumnOfALabelFile) {
  const Outcome trained =
      run({"train", "--features", features_, "--labels", table_, "--label-column", "species",
           "--functions", "linear", "--bits", "4", "--model", model_});
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
}

TEST_F(Columns, MistakesNameTheColumn) {
  const Outcome text = run({"train", "--features", table_, "--label-column", "species", "--bits",
                            "4", "--model", model_});
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_NE(text.err.find("'flower-0', expected a number"), std::string::npos) << text.err;
  EXPECT_NE(text.err.find("--id-column"), std::string::npos) << text.err;
  const Outcome unknown = run({"train", "--features", table_, "--label-column", "specie", "--bits",
                               "4", "--model", model_});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("did you mean 'species'?"), std::string::npos) << unknown.err;
  const Outcome header =
      run({"train", "--features", table_, "--header", "maybe", "--bits", "4", "--model", model_});
  EXPECT_EQ(header.exit_code, 2);
  EXPECT_NE(header.err.find("yes"), std::string::npos) << header.err;
}

TEST_F(Columns, JudgmentsWithAnyIds) {
  std::string judgments;
  for (int item = 0; item < 40; ++item) {
    judgments += "q1 0 flower-" + std::to_string(item) + (item % 2 == 0 ? " 1\n" : " 0\n");
  }
  const std::string qrels = folder_.file("qrels.trec");
  const std::string queries = folder_.file("q.csv");
  write_bytes(qrels, judgments);
  write_bytes(queries, "5,5,5,5\n");
  write_bytes(folder_.file("q.txt"), "q1\n");
  ASSERT_EQ(train().exit_code, 0);
  const Words evaluate{"evaluate",
                       "--model",
                       model_,
                       "--features",
                       features_,
                       "--query-features",
                       queries,
                       "--relevance",
                       qrels,
                       "--query-ids",
                       folder_.file("q.txt"),
                       "--measures",
                       "map",
                       "--json"};
  Words with_ids = evaluate;
  with_ids.insert(with_ids.end(), {"--item-ids", ids_});
  const Outcome evaluated = run(with_ids);
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_EQ(nlohmann::json::parse(evaluated.out).at("measures").at("map"), 1.0);
  EXPECT_EQ(run(evaluate).exit_code, 3);  // flower-0 is not a row number
  const Outcome trained =
      run({"train", "--features", features_, "--query-features", queries, "--relevance", qrels,
           "--item-ids", ids_, "--query-ids", folder_.file("q.txt"), "--bits", "4", "--functions",
           "linear", "--model", folder_.file("judged.shm")});
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  write_bytes(folder_.file("q.txt"), "q1\nq2\n");
  const Outcome too_many = run(with_ids);
  EXPECT_EQ(too_many.exit_code, 3);
  EXPECT_NE(too_many.err.find("has 2 ids, but there are 1 rows"), std::string::npos)
      << too_many.err;
}

/// train --queries leaves out the queries that evaluate --queries measures.
TEST_F(Columns, JudgedQueriesAreHeldOut) {
  const std::string qrels = folder_.file("qrels.trec");
  const std::string queries = folder_.file("q.csv");
  std::string judgments;
  std::string vectors;
  for (int query = 1; query <= 10; ++query) {
    vectors += query % 2 == 0 ? "5,5,5,5\n" : "-5,-5,-5,-5\n";
    for (int item = 1; item <= 40; ++item) {
      const bool relevant = item % 2 == (query % 2 == 0 ? 1 : 0);
      judgments += std::to_string(query) + " 0 " + std::to_string(item) + (relevant ? " 1" : " 0");
      judgments += "\n";
    }
  }
  write_bytes(qrels, judgments);
  write_bytes(queries, vectors);
  const Words judged{"--features", features_,     "--query-features",
                     queries,      "--relevance", qrels,
                     "--queries",  "4",           "--json"};
  const auto run_with = [&](Words words) {
    words.insert(words.end(), judged.begin(), judged.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  const auto trained =
      run_with({"train", "--bits", "4", "--functions", "linear", "--model", model_});
  EXPECT_EQ(trained.at("rows"), 46);  // 40 items, 6 queries
  EXPECT_EQ(trained.at("lists"), 6);
  const std::string run_file = folder_.file("r.trec");
  const auto evaluated = run_with({"evaluate", "--model", model_, "--run", run_file});
  EXPECT_EQ(evaluated.at("queries"), 4);
  EXPECT_EQ(evaluated.at("queries_without_relevant"), 0);
  EXPECT_EQ(evaluated.at("measures").at("map"), 1.0);
  const auto other =
      run_with({"evaluate", "--model", model_, "--seed", "2", "--run", run_file + "2"});
  EXPECT_EQ(other.at("queries"), 4);
  EXPECT_NE(read_bytes(run_file), read_bytes(run_file + "2"));  // other queries
}

TEST_F(Columns, NearestNeighboursAndAsymmetricDistance) {
  ASSERT_EQ(train().exit_code, 0);
  const Words evaluate{"evaluate",  "--model", model_,       "--features", features_,
                       "--queries", "10",      "--measures", "map",        "--json"};
  const auto map_of = [&](const Words& more) {
    Words words = evaluate;
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("measures").at("map").get<double>();
  };
  // The nearest 40 % are on the side of the query.
  EXPECT_GT(map_of({"--nearest", "0.4"}), 0.8);
  EXPECT_GT(map_of({"--nearest", "0.4", "--distance", "asymmetric"}), 0.8);
  Words both = evaluate;
  both.insert(both.end(), {"--nearest", "0.4", "--labels", table_});
  EXPECT_EQ(run(both).exit_code, 2);
  Words wrong = evaluate;
  wrong.insert(wrong.end(), {"--nearest", "2"});
  EXPECT_EQ(run(wrong).exit_code, 2);
}

TEST_F(Columns, ParquetFilesNameThePythonPackage) {
  for (const char* name : {"x.parquet", "x.arrow"}) {
    const Outcome outcome = run({"train", "--features", name, "--bits", "4", "--model", model_});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("python -m structhash"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace structhash::test
