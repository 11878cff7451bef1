// Every command end to end, as a user runs it.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;

TEST(Commands, TrainEncodeEvaluateInspect) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  const std::string model = train_tiny_model(folder, data);

  const Outcome encoded = run(
      {"encode", "--model", model, "--features", data.features, "--codes", folder.file("c.shc")});
  EXPECT_EQ(encoded.exit_code, 0) << encoded.err;
  EXPECT_NE(encoded.out.find("80 codes of 16 bits"), std::string::npos) << encoded.out;

  const Outcome evaluated =
      run({"evaluate", "--model", model, "--features", data.features, "--labels", data.labels,
           "--queries", "20", "--measures", "map,precision@10", "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const Json result = Json::parse(evaluated.out);
  EXPECT_EQ(result["queries"], 20);
  EXPECT_EQ(result["database"], 60);
  EXPECT_EQ(result["bits"], 16);
  EXPECT_EQ(result["distance"], "hamming");
  EXPECT_EQ(result["queries_without_relevant"], 0);
  // The clusters lie ten standard deviations apart: random hyperplanes tell them apart.
  EXPECT_GT(result["measures"]["map"], 0.95);
  EXPECT_GT(result["measures"]["precision@10"], 0.95);

  for (const std::string& file : {model, folder.file("c.shc")}) {
    const Outcome inspected = run({"inspect", file, "--json"});
    ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
    EXPECT_EQ(Json::parse(inspected.out)["intact"], true);
    EXPECT_EQ(run({"inspect", file}).exit_code, 0);
  }
}

TEST(Commands, TextAndJsonOfEvaluateAgree) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  const std::string model = train_tiny_model(folder, data);
  const std::vector<std::string> arguments{"evaluate",    "--model",    model,       "--features",
                                           data.features, "--labels",   data.labels, "--queries",
                                           "30",          "--measures", "map"};
  auto with_json = arguments;
  with_json.emplace_back("--json");
  const Outcome text = run(arguments);
  const Json json = Json::parse(run(with_json).out);
  char expected[32];
  std::snprintf(expected, sizeof expected, "%.4f", json["measures"]["map"].get<double>());
  EXPECT_NE(text.out.find(expected), std::string::npos) << text.out;
}

TEST(Commands, EvaluateTakesSeparateQueryFiles) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  const std::string model = train_tiny_model(folder, data);
  const Outcome evaluated =
      run({"evaluate", "--model", model, "--features", data.features, data.features, "--labels",
           data.labels, data.labels, "--query-features", data.features, "--query-labels",
           data.labels, "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const Json result = Json::parse(evaluated.out);
  EXPECT_EQ(result["queries"], 80);
  EXPECT_EQ(result["database"], 160);  // two files read as one
  // The defaults of --measures.
  for (const char* measure : {"ndcg@100", "precision@100", "map", "pr-auc"}) {
    EXPECT_TRUE(result["measures"].contains(measure)) << measure;
  }
}

TEST(Commands, JudgmentsTakeThePlaceOfLabels) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  const std::string model = train_tiny_model(folder, data);
  // Queries are the rows 1 and 2 of the data: row 1 is relevant to query 1, nothing to query 2.
  const std::string text = read_bytes(data.features);
  const auto second_line_end = text.find('\n', text.find('\n') + 1);
  write_bytes(folder.file("q.csv"), text.substr(0, second_line_end + 1));
  write_bytes(folder.file("qrels.trec"), "1 0 1 2\n2 0 5 0\n");
  const Outcome evaluated =
      run({"evaluate", "--model", model, "--features", data.features, "--query-features",
           folder.file("q.csv"), "--relevance", folder.file("qrels.trec"), "--measures", "mrr",
           "--ties", "best", "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const Json result = Json::parse(evaluated.out);
  EXPECT_EQ(result["queries_without_relevant"], 1);
  EXPECT_EQ(result["measures"]["mrr"], 1.0);  // distance 0 to itself, first among its ties
}

TEST(Commands, TheQueriesOfTrainAreThoseOfEvaluate) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  const Outcome trained = run({"train", "--method", "lsh", "--features", data.features, "--labels",
                               data.labels, "--queries", "30", "--train-size", "20", "--seed", "3",
                               "--bits", "16", "--model", folder.file("m.shm"), "--json"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_EQ(Json::parse(trained.out)["rows"], 20);
  // The run file names rows of the input, so that the split can be seen.
  ASSERT_EQ(
      run({"evaluate", "--model", folder.file("m.shm"), "--features", data.features, "--labels",
           data.labels, "--queries", "30", "--seed", "3", "--run", folder.file("run.trec")})
          .exit_code,
      0);
  const std::string lines = read_bytes(folder.file("run.trec"));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 30 * 50);  // 50 items for each query
}

/// Rows beyond the memory are left out, and the command says so; rows that were asked for are not.
TEST(Commands, RowsAreSampledWhereAllWouldNotFit) {
  const TemporaryFolder folder;
  const TwoClusters data(folder, 4500);
  const auto train = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"train", "--features", data.features, "--labels", data.labels,
                               "--functions", "linear", "--bits", "4", "--threads", "1", "--json",
                               "--model", folder.file("m.shm")});
    return run(more);
  };
  const Outcome whole = train({});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(Json::parse(whole.out)["rows"], 4500);
  EXPECT_FALSE(Json::parse(whole.out)["parameters"].contains("sampled_rows"));
  // 28 MiB for the program, 12 kB per row and list.
  const Outcome sampled = train({"--memory-limit", "58MiB"});
  ASSERT_EQ(sampled.exit_code, 0) << sampled.err;
  EXPECT_NE(sampled.err.find("training on 2,000 of 4,500 rows: all of them would need "),
            std::string::npos)
      << sampled.err;
  EXPECT_NE(sampled.err.find("the limit is 58.0 MiB; --train-size or --memory-limit"),
            std::string::npos)
      << sampled.err;
  const Json result = Json::parse(sampled.out);
  EXPECT_EQ(result["rows"], 2000);
  EXPECT_EQ(result["parameters"]["sampled_rows"], (Json{{"rows", 2000}, {"of", 4500}}));
  const std::string model = read_bytes(folder.file("m.shm"));
  ASSERT_EQ(train({"--memory-limit", "58MiB"}).exit_code, 0);
  EXPECT_EQ(read_bytes(folder.file("m.shm")), model) << "the same rows by the same seed";

  for (const std::vector<std::string>& refused :
       {std::vector<std::string>{"--memory-limit", "58MiB", "--train-size", "4000"},
        std::vector<std::string>{"--memory-limit", "30MiB"}}) {
    const Outcome outcome = train(refused);
    EXPECT_EQ(outcome.exit_code, 5);
    EXPECT_NE(outcome.err.find("--memory-limit allows"), std::string::npos) << outcome.err;
  }
}

TEST(Commands, CurvesAreWrittenAsJson) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  const std::string model = train_tiny_model(folder, data);
  ASSERT_EQ(run({"evaluate", "--model", model, "--features", data.features, "--labels", data.labels,
                 "--queries", "30", "--curves", folder.file("curves.json")})
                .exit_code,
            0);
  const Json curves = Json::parse(read_bytes(folder.file("curves.json")));
  EXPECT_EQ(curves["precision_recall"]["recall"].size(),
            curves["precision_recall"]["precision"].size());
  EXPECT_GT(curves["ranks"]["precision"][0], 0.9);
}

TEST(Commands, SameSeedSameBytesForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  std::vector<std::string> models;
  for (const std::string threads : {"1", "2", "3"}) {
    const std::string model = folder.file("m" + threads);
    ASSERT_EQ(run({"train", "--method", "lsh", "--features", data.features, "--labels", data.labels,
                   "--bits", "24", "--threads", threads, "--seed", "9", "--model", model})
                  .exit_code,
              0);
    models.push_back(read_bytes(model));
  }
  EXPECT_EQ(models[0], models[1]);
  EXPECT_EQ(models[0], models[2]);
  const std::string other = folder.file("other");
  ASSERT_EQ(run({"train", "--method", "lsh", "--features", data.features, "--labels", data.labels,
                 "--bits", "24", "--seed", "10", "--model", other})
                .exit_code,
            0);
  EXPECT_NE(models[0], read_bytes(other));
}

TEST(Commands, ListsOfMethodsAndMeasures) {
  const Json methods = Json::parse(run({"methods", "--json"}).out);
  EXPECT_GE(methods.size(), 1U);
  const std::string text = run({"methods"}).out;
  EXPECT_NE(text.find("lsh         none     hamming "), std::string::npos) << text;
  EXPECT_NE(text.find("spher       none     hamming, spherical "), std::string::npos) << text;
  EXPECT_NE(text.find("ksh         labels   hamming "), std::string::npos) << text;
  EXPECT_NE(text.find("structhash  lists    weighted, hamming, adaptive "), std::string::npos)
      << text;
  const Json measures = Json::parse(run({"measures", "--json"}).out);
  EXPECT_GE(measures["train"].size(), 6U);
  EXPECT_GE(measures["evaluate"].size(), 8U);
  EXPECT_NE(run({"measures"}).out.find("ndcg@K"), std::string::npos);
}

TEST(Commands, OptionsOfAMethod) {
  const std::string text = run({"methods", "itq"}).out;
  for (const char* words :
       {"itq: principal components, rotated", "Gong, Lazebnik, CVPR 2011",
        "learns from  features alone", "distances    hamming\n",
        "iterations     50       at least 0        all        Maximum number of",
        "width          1.0      above 0           kernel     Kernel width"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  const Json itq = Json::parse(run({"methods", "itq", "--json"}).out);
  EXPECT_EQ(itq["multi_labels"], false);
  EXPECT_EQ(itq["checkpoints"], false);
  EXPECT_EQ(itq["shards"], Json::array());
  EXPECT_EQ(itq["options"][1], (Json{{"name", "iterations"},
                                     {"type", "integer"},
                                     {"default", "50"},
                                     {"allowed", "at least 0"},
                                     {"choices", Json::array()},
                                     {"functions", Json::array()},
                                     {"presets", Json::object()},
                                     {"help", "Maximum number of iterations of the rotation"}}));
  const Json all = Json::parse(run({"methods", "--json"}).out);
  EXPECT_EQ(all[0]["name"], "structhash");
  EXPECT_EQ(all[0]["checkpoints"], true);
  EXPECT_EQ(all[0]["shards"], (Json{"linear", "kernel"}));
  const std::string help = run({"train", "--help"}).out;
  const auto options = help.find("Options of the method structhash");
  ASSERT_NE(options, std::string::npos) << help;
  EXPECT_GT(options, help.find("--option"));
  EXPECT_NE(help.find("anchors", options), std::string::npos) << help;
}

TEST(Commands, VersionAndHelp) {
  const Outcome version = run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.rfind("structhash ", 0), 0U);
  EXPECT_EQ(run({"--help"}).out.rfind("Examples:\n", 0), 0U);
  for (const char* command : {"train", "encode", "search", "evaluate", "convert", "inspect",
                              "methods", "measures", "experiment", "report", "demo"}) {
    const Outcome help = run({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_EQ(help.out.rfind("Examples:\n  structhash " + std::string(command), 0), 0U) << help.out;
  }
}

}  // namespace
}  // namespace structhash::test
