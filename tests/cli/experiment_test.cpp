// The experiment command: rows, resuming, verdicts, and what it refuses.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Outcome run_experiment(const TemporaryFolder& folder, const Json& experiment) {
  std::ofstream(folder.file("e.json")) << experiment;
  return run({"experiment", folder.file("e.json"), "--results", folder.file("rows.jsonl")});
}

Json details_of(const TemporaryFolder& folder, const Json& row) {
  return Json::parse(text_of(folder.file("rows.details/") + row["config_hash"].get<std::string>() +
                             "-" + row["distance"].get<std::string>() + ".json"));
}

Json tiny_experiment(const TwoClusters& data) {
  return {
      {"datasets", {{{"name", "two"}, {"features", {data.features}}, {"labels", {data.labels}}}}},
      {"protocol", {{"queries", 20}, {"train", 60}, {"relevant", 5}, {"irrelevant", 5}}},
      {"methods",
       {{{"method", "lsh"}},
        {{"method", "structhash"},
         {"measure", "map"},
         {"trade-off", 10},
         {"ridge", 0.1},
         {"penalty", 0.1},
         {"shrinkage", 0.5}}}},
      {"bits", {4}},
      {"seeds", {1, 2}},
      {"measures", {"map"}},
      {"expect",
       {{{"method", "structhash"}, {"at_least", {{"map", 0.9}}}},
        {{"method", "structhash"},
         {"within", {{"map", 0.0}}},
         {"among", {{"method", "lsh"}, {"distance", "hamming"}}}},
        {{"method", "lsh"}, {"distance", "hamming"}, {"at_least", {{"map", 0.1}}}}}}};
}

TEST(Experiment, WritesRowsJudgesThemAndResumes) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  std::ofstream(folder.file("e.json")) << tiny_experiment(data);
  const std::string rows_file = folder.file("rows.jsonl");
  const std::vector<std::string> command{"experiment", folder.file("e.json"), "--results",
                                         rows_file};
  const Outcome first = run(command);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.out.find("pass"), std::string::npos) << first.out;
  EXPECT_EQ(first.out.find("FAIL"), std::string::npos) << first.out;
  const std::string rows = text_of(rows_file);
  std::istringstream lines(rows);
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    const Json row = Json::parse(line);
    for (const char* field : {"dataset", "method", "params", "bits", "seed", "distance", "map",
                              "train_seconds", "encode_seconds", "version", "config_hash"}) {
      EXPECT_TRUE(row.contains(field)) << field;
    }
    ++count;
  }
  EXPECT_EQ(count, 10);  // two seeds of lsh under two distances, and of structhash under three

  // A run that was killed in the middle of a line: the rest is made again, nothing twice.
  std::size_t fifth_line = 0;
  for (int line_number = 0; line_number < 4; ++line_number) {
    fifth_line = rows.find('\n', fifth_line) + 1;
  }
  std::ofstream(rows_file) << rows.substr(0, fifth_line + 10);
  const Outcome resumed = run(command);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("4 cells, 2 to do"), std::string::npos) << resumed.err;
  const std::string again = text_of(rows_file);
  EXPECT_EQ(std::ranges::count(again, '\n'), 10);
  EXPECT_EQ(again.substr(0, fifth_line), rows.substr(0, fifth_line));
  const Outcome nothing_left = run(command);
  EXPECT_NE(nothing_left.err.find("4 cells, 0 to do"), std::string::npos) << nothing_left.err;
  EXPECT_EQ(text_of(rows_file), again);
}

TEST(Experiment, AMethodMayBeKeptToSomeDataSets) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  Json experiment = tiny_experiment(data);
  experiment["datasets"].push_back(experiment["datasets"][0]);
  experiment["datasets"][1]["name"] = "again";
  experiment["methods"][1]["datasets"] = {"again"};
  std::ofstream(folder.file("e.json")) << experiment;
  const std::string rows_file = folder.file("rows.jsonl");
  ASSERT_EQ(run({"experiment", folder.file("e.json"), "--results", rows_file}).exit_code, 0);
  const std::string rows = text_of(rows_file);
  EXPECT_EQ(std::ranges::count(rows, '\n'), 14);  // 2 x 2 x 2 of lsh, 2 x 3 of structhash
  experiment["methods"][1]["datasets"] = {"gone"};
  std::ofstream(folder.file("e.json")) << experiment;
  const Outcome unknown = run({"experiment", folder.file("e.json"), "--results", rows_file});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("gone"), std::string::npos) << unknown.err;
}

/// Rows without what depends on the clock.
std::vector<Json> timeless_rows(const std::string& path) {
  std::vector<Json> rows;
  std::istringstream lines(text_of(path));
  std::string line;
  while (std::getline(lines, line)) {
    Json row = Json::parse(line);
    row.erase("train_seconds");
    row.erase("encode_seconds");
    rows.push_back(std::move(row));
  }
  std::ranges::sort(rows, {}, [](const Json& row) { return row.dump(); });
  return rows;
}

TEST(Experiment, JobsGiveTheSameRows) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  std::ofstream(folder.file("e.json")) << tiny_experiment(data);
  for (const char* jobs : {"1", "3"}) {
    const Outcome outcome = run({"experiment", folder.file("e.json"), "--jobs", jobs, "--results",
                                 folder.file(jobs), "--threads", "3"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  EXPECT_EQ(timeless_rows(folder.file("1")), timeless_rows(folder.file("3")));
}

TEST(Experiment, RowsOfOtherCodeAreStale) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  std::ofstream(folder.file("e.json")) << tiny_experiment(data);
  const std::string rows_file = folder.file("rows.jsonl");
  std::vector<std::string> command{"experiment", folder.file("e.json"), "--results", rows_file};
  ASSERT_EQ(run(command).exit_code, 0);
  const std::vector<Json> fresh = timeless_rows(rows_file);
  // As if the rows of lsh came from another build.
  std::string rows;
  std::istringstream lines(text_of(rows_file));
  std::string line;
  while (std::getline(lines, line)) {
    Json row = Json::parse(line);
    if (row["method"] == "lsh") {
      row["version"] = "0.0.1+00000000";
      row["config_hash"] = "00000000000000" + row["seed"].dump() + "0";
    }
    rows += row.dump() + "\n";
  }
  std::ofstream(rows_file) << rows;
  command.emplace_back("--keep-stale");
  const Outcome kept = run(command);
  ASSERT_EQ(kept.exit_code, 0) << kept.err;
  EXPECT_NE(kept.err.find("2 of 4 cells have only rows of another version"), std::string::npos)
      << kept.err;
  EXPECT_NE(kept.err.find("0 to do"), std::string::npos) << kept.err;
  EXPECT_NE(kept.out.find("2*"), std::string::npos) << kept.out;
  command.pop_back();
  const Outcome again = run(command);
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.err.find("2 to do"), std::string::npos) << again.err;
  EXPECT_EQ(again.out.find("2*"), std::string::npos) << again.out;
  ASSERT_EQ(run(command).exit_code, 0);  // stale rows go once there are new ones
  EXPECT_EQ(timeless_rows(rows_file), fresh);
}

TEST(Experiment, SeedsMayReplaceThoseOfTheFile) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  Json experiment = tiny_experiment(data);
  experiment["methods"] = {{{"method", "lsh"}}};
  experiment.erase("expect");
  std::ofstream(folder.file("e.json")) << experiment;
  const std::vector<std::string> command{"experiment", folder.file("e.json"), "--results",
                                         folder.file("rows.jsonl"), "--seeds"};
  const auto with_seeds = [&](const std::string& seeds) {
    std::vector<std::string> words = command;
    words.push_back(seeds);
    return run(words);
  };
  ASSERT_EQ(with_seeds("7,2").exit_code, 0);
  std::set<int> seeds;
  for (const Json& row : timeless_rows(folder.file("rows.jsonl"))) {
    seeds.insert(row["seed"].get<int>());
  }
  EXPECT_EQ(seeds, (std::set<int>{2, 7}));
  for (const std::string wrong : {"7,x", "-1", "3,3", "1.5"}) {
    const Outcome refused = with_seeds(wrong);
    EXPECT_EQ(refused.exit_code, 2) << wrong;
    EXPECT_NE(refused.err.find("seed"), std::string::npos) << refused.err;
  }
}

TEST(Experiment, TrainingRowsMayBeLeftOutOfTheDatabase) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  Json experiment = tiny_experiment(data);
  experiment["methods"] = {{{"method", "lsh"}}};
  experiment["protocol"]["train"] = 30;
  experiment["measures"] = {"recall@10"};
  experiment.erase("expect");
  std::ofstream(folder.file("all.json")) << experiment;
  experiment["protocol"]["database"] = "without-training";
  std::ofstream(folder.file("without.json")) << experiment;
  std::map<std::string, std::vector<Json>> rows;
  for (const std::string name : {"all", "without"}) {
    const Outcome outcome =
        run({"experiment", folder.file(name + ".json"), "--results", folder.file(name + ".jsonl")});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out.find("two, training rows left out") != std::string::npos,
              name == "without");
    rows[name] = timeless_rows(folder.file(name + ".jsonl"));
  }
  const Outcome by_flag = run({"experiment", folder.file("all.json"), "--without-training",
                               "--results", folder.file("flag.jsonl")});
  ASSERT_EQ(by_flag.exit_code, 0) << by_flag.err;
  EXPECT_EQ(timeless_rows(folder.file("flag.jsonl")), rows["without"]);
  EXPECT_EQ(rows["all"][0]["database"], "all");
  EXPECT_EQ(rows["without"][0]["database"], "without-training");
  EXPECT_NE(rows["all"][0]["recall@10"], rows["without"][0]["recall@10"]);

  // The same model and the same rows by hand.
  ASSERT_EQ(
      run({"train", "--method", "lsh", "--bits", "4", "--features", data.features, "--labels",
           data.labels, "--queries", "20", "--train-size", "30", "--model", folder.file("m.shm")})
          .exit_code,
      0);
  const std::vector<std::string> evaluate{
      "evaluate",  "--model",    folder.file("m.shm"), "--features", data.features, "--labels",
      data.labels, "--measures", "recall@10",          "--json",     "--queries",   "20"};
  std::vector<std::string> without = evaluate;
  without.insert(without.end(), {"--without-training", "30"});
  const auto value = [](const Outcome& outcome) {
    return Json::parse(outcome.out)["measures"]["recall@10"].get<double>();
  };
  const auto of_seed_1 = [&](const std::string& name) {
    return std::ranges::find_if(rows[name], [](const Json& row) { return row["seed"] == 1; })
        ->at("recall@10")
        .get<double>();
  };
  EXPECT_DOUBLE_EQ(value(run(evaluate)), of_seed_1("all"));
  EXPECT_DOUBLE_EQ(value(run(without)), of_seed_1("without"));
}

TEST(Experiment, NeighboursMayBeTheTruth) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  Json experiment = tiny_experiment(data);
  experiment["datasets"] = {
      {{"name", "files"}, {"features", {data.features}}, {"query_features", {data.features}}},
      {{"name", "made"},
       {"generate", {{"rows", 300}, {"dimension", 8}, {"clusters", 4}, {"seed", 2}}}}};
  experiment["protocol"]["nearest"] = 0.1;
  experiment.erase("expect");
  const Outcome outcome = run_experiment(folder, experiment);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(timeless_rows(folder.file("rows.jsonl")).size(), 20U);
  // Files of queries carry no labels.
  experiment["protocol"].erase("nearest");
  std::ofstream(folder.file("e.json")) << experiment;
  const Outcome refused =
      run({"experiment", folder.file("e.json"), "--results", folder.file("other.jsonl")});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("\"nearest\": 0.02"), std::string::npos) << refused.err;
}

TEST(Experiment, DetailsStandBesideTheRows) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  Json experiment = tiny_experiment(data);
  ASSERT_EQ(run_experiment(folder, experiment).exit_code, 0);
  for (const Json& row : timeless_rows(folder.file("rows.jsonl"))) {
    const Json details = details_of(folder, row);
    const auto values = details["per_query"]["map"].get<std::vector<double>>();
    ASSERT_EQ(values.size(), 20U);
    double mean = 0.0;
    for (const double value : values) {
      mean += value / 20.0;
    }
    EXPECT_NEAR(mean, row["map"].get<double>(), 1e-5);
  }
}

/// Images as CIFAR-10 stores them: a label, then 32 x 32 reds, greens and blues.  Class 0 has
/// stripes that lie, class 1 stripes that stand.
void write_striped_images(const std::string& path, int count) {
  std::ofstream file(path, std::ios::binary);
  for (int i = 0; i < count; ++i) {
    const int label = i % 2;
    file.put(static_cast<char>(label));
    for (int p = 0; p < 3 * 1024; ++p) {
      const int along = label == 0 ? p % 1024 / 32 : p % 32;
      file.put(static_cast<char>((along + i) % 8 < 4 ? 40 : 200));
    }
  }
}

TEST(Experiment, FeaturesMayBeMadeFromImages) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  write_striped_images(folder.file("data_batch_1.bin"), 60);
  write_striped_images(folder.file("data_batch_2.bin"), 60);
  Json experiment = tiny_experiment(data);
  experiment["datasets"] = {
      {{"name", "stripes"}, {"descriptor", "gist"}, {"images", {folder.file("data_batch_*.bin")}}}};
  experiment.erase("expect");
  const Outcome outcome = run_experiment(folder, experiment);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const Json& row : timeless_rows(folder.file("rows.jsonl"))) {
    if (row["method"] == "structhash") {
      EXPECT_GT(row["map"].get<double>(), 0.95);
    }
    const Json details = details_of(folder, row);
    const std::size_t strips = row["seed"] == 1 ? 2U : 0U;  // one per class, of the first seed
    ASSERT_EQ(details["strips"].size(), strips);
    if (strips > 0) {
      const auto image = details["strips"][0]["query_image"].get<std::string>();
      EXPECT_EQ(image.substr(0, 22), "data:image/png;base64,");
    }
  }
  experiment["datasets"][0]["descriptor"] = "sift";
  std::ofstream(folder.file("e.json")) << experiment;
  const Outcome refused = run({"experiment", folder.file("e.json")});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("unknown descriptor 'sift'"), std::string::npos) << refused.err;
}

TEST(Experiment, TextsOfTheRowsAreKept) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  Json experiment = tiny_experiment(data);
  Json texts = Json::array();
  for (int row = 0; row < 80; ++row) {
    texts.push_back("row " + std::to_string(row));
  }
  std::ofstream(folder.file("texts.json")) << texts;
  experiment["datasets"][0]["texts"] = {"texts.json"};
  experiment.erase("expect");
  const Outcome outcome = run_experiment(folder, experiment);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<Json> rows = timeless_rows(folder.file("rows.jsonl"));
  const Json row = *std::ranges::find_if(rows, [](const Json& one) { return one["seed"] == 1; });
  const Json details = details_of(folder, row);
  ASSERT_EQ(details["strips"].size(), 2U);  // the first query of each class
  const Json& strip = details["strips"][0];
  EXPECT_EQ(strip["query_text"].get<std::string>().substr(0, 4), "row ");
  EXPECT_EQ(strip["items"][0]["text"].get<std::string>().substr(0, 4), "row ");
  EXPECT_NE(strip["items"][0]["text"], strip["query_text"]);
}

TEST(Experiment, RefusesWhatItDoesNotUnderstand) {
  const TemporaryFolder folder;
  const TwoClusters data(folder);
  const auto outcome_of = [&](const std::string& text) {
    std::ofstream(folder.file("e.json")) << text;
    return run({"experiment", folder.file("e.json"), "--results", folder.file("r.jsonl")});
  };
  EXPECT_EQ(outcome_of("{").exit_code, 2);
  Json misspelt = tiny_experiment(data);
  misspelt["protocl"] = Json::object();
  const Outcome unknown = outcome_of(misspelt.dump());
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("protocl"), std::string::npos) << unknown.err;
  Json without_data = tiny_experiment(data);
  without_data.erase("datasets");
  EXPECT_EQ(outcome_of(without_data.dump()).exit_code, 2);
  EXPECT_EQ(run({"experiment", folder.file("none.json")}).exit_code, 5);
  // A cell that fails does not lose the others.
  Json one_bad = tiny_experiment(data);
  std::string far_off;
  for (int row = 0; row < 80; ++row) {
    far_off += "1e20," + std::to_string(row) + "\n";
  }
  write_bytes(folder.file("far.csv"), far_off);
  one_bad["datasets"].push_back(
      {{"name", "far"}, {"features", {folder.file("far.csv")}}, {"labels", {data.labels}}});
  const Outcome bad_cell = outcome_of(one_bad.dump());
  EXPECT_EQ(bad_cell.exit_code, 3);
  EXPECT_NE(bad_cell.out.find("lsh"), std::string::npos) << bad_cell.out;
}

}  // namespace
}  // namespace structhash::test
