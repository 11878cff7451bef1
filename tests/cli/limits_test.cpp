// Limits of memory and time, files that are no files, names in any bytes, queries seen in training.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"
#include "structhash/core/rng.hpp"
#include "support/memory_limit.hpp"

namespace structhash::test {
namespace {

using Words = std::vector<std::string>;

void expect_error(const Outcome& outcome, int exit_code, const std::string& words) {
  EXPECT_EQ(outcome.exit_code, exit_code) << words << "\n" << outcome.err;
  EXPECT_NE(outcome.err.find(words), std::string::npos) << words << "\n" << outcome.err;
}

/// Random rows of 8 columns as fvecs, and classes.
void write_rows(const std::string& features, const std::string& labels, int rows) {
  Rng rng(Seed{5});
  std::string x;
  std::string y;
  const std::int32_t width = 8;
  for (int row = 0; row < rows; ++row) {
    x.append(reinterpret_cast<const char*>(&width), sizeof width);
    for (int column = 0; column < width; ++column) {
      const auto value = static_cast<float>(rng.normal());
      x.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    y += row % 2 == 0 ? "0\n" : "1\n";
  }
  write_bytes(features, x);
  write_bytes(labels, y);
}

class Limits : public testing::Test {
 protected:
  void prepare(int rows) const {
    write_rows(x_, y_, rows);
    write_rows(q_, folder_.file("unused"), 64);
    ASSERT_EQ(run({"train", "--method", "lsh", "--features", q_, "--bits", "64", "--model", m_})
                  .exit_code,
              0);
    ASSERT_EQ(run({"encode", "--model", m_, "--features", x_, "--codes", c_}).exit_code, 0);
  }
  /// The peak of all commands so far: ctest runs each test in a process of its own.
  static double most_mib_of_children() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
  }

  const TemporaryFolder folder_;
  const std::string x_ = folder_.file("x.fvecs");
  const std::string y_ = folder_.file("y.csv");
  const std::string q_ = folder_.file("q.fvecs");
  const std::string m_ = folder_.file("m.shm");
  const std::string c_ = folder_.file("c.shc");
};

TEST_F(Limits, ASearchByRadiusKeepsToTheMemoryLimit) {
  if (kSanitized) {
    GTEST_SKIP() << "sanitizers need memory and time of their own";
  }
  prepare(200'000);
  const Words search{"search", "--model",       m_,   "--codes",    c_,        "--queries",
                     q_,       "--radius",      "64", "--distance", "hamming", "--threads",
                     "1",      "--memory-limit"};
  Words enough = search;
  enough.emplace_back("150MiB");
  const double before = most_mib_of_children();
  const Outcome all = run(enough);  // 64 x 200,000 neighbours: 600 MB at once
  ASSERT_EQ(all.exit_code, 0) << all.err;
  EXPECT_NE(all.out.find("12800000 found"), std::string::npos) << all.out;
  if (before < 150.0) {
    EXPECT_LT(most_mib_of_children(), 150.0);
  }
  Words too_little = search;
  too_little.emplace_back("38MiB");
  expect_error(run(too_little), 5, "--memory-limit allows 38.0 MiB");
}

TEST_F(Limits, ARunFileKeepsToTheMemoryLimit) {
  if (kSanitized) {
    GTEST_SKIP() << "sanitizers need memory and time of their own";
  }
  prepare(20'000);
  const Words evaluate{
      "evaluate",  "--model",    m_,      "--features",        x_,        "--labels", y_,
      "--queries", "512",        "--run", folder_.file("run"), "--depth", "20000",    "--threads",
      "1",         "--measures", "map",   "--memory-limit"};
  Words enough = evaluate;
  enough.emplace_back("220MiB");
  const double before = most_mib_of_children();
  const Outcome outcome = run(enough);  // 10 million lines
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  if (before < 220.0) {
    EXPECT_LT(most_mib_of_children(), 220.0);
  }
  Words too_little = evaluate;
  too_little.emplace_back("100MiB");
  expect_error(run(too_little), 5, "--memory-limit allows 100.0 MiB");
}

/// Seconds from the signal to the end.
double seconds_to_stop(const Words& arguments, const std::string& stage) {
  RunningCommand command(arguments);
  while (command.err_so_far().find(stage) == std::string::npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto start = std::chrono::steady_clock::now();
  command.send(SIGINT);
  const Outcome outcome = command.finish();
  EXPECT_EQ(outcome.exit_code, 6) << outcome.err;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST_F(Limits, SearchesAndEvaluationsStopWithinASecond) {
  if (kSanitized) {
    GTEST_SKIP() << "sanitizers need memory and time of their own";
  }
  constexpr double kBar = 2.0;  // 1 second, on a machine that is not busy
  prepare(300'000);
  EXPECT_LT(seconds_to_stop({"search", "--model", m_, "--codes", c_, "--queries", x_, "--k", "1000",
                             "--threads", "1", "--engine", "scan"},
                            "searching"),
            kBar);
  EXPECT_LT(seconds_to_stop({"evaluate", "--model", m_, "--features", x_, "--labels", y_,
                             "--queries", "20000", "--threads", "1"},
                            "encoding"),
            kBar);
}

TEST_F(Limits, PipesDoNotBlock) {
  prepare(80);
  const std::string pipe = folder_.file("pipe.npy");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string words = "not a regular file";
  expect_error(run({"inspect", pipe}), 5, words);
  expect_error(run({"encode", "--model", pipe, "--features", x_, "--codes", c_}), 5, words);
  expect_error(run({"encode", "--model", m_, "--features", pipe, "--codes", c_}), 5, words);
  expect_error(run({"encode", "--model", m_, "--features", x_, "--codes", pipe}), 5, words);
  expect_error(run({"evaluate", "--model", m_, "--features", x_, "--query-features", q_,
                    "--relevance", pipe}),
               5, words);
  run({"report", pipe, "--out", folder_.file("page.html")});  // whatever it says, it ends
  expect_error(run({"experiment", pipe}), 5, words);
}

/// OpenBLAS retried for ever to reserve memory for all processors.
TEST(LittleMemory, ACommandEnds) {
  if (kSanitized) {
    GTEST_SKIP() << "sanitizers need memory and time of their own";
  }
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  const rlimit little{rlim_t{200'000} * 1024, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &little), 0);
  RunningCommand command({"methods"});
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(command.finish().exit_code, 0);
}

class Inputs : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const TwoClusters data_{folder_};
  const std::string model_ = train_tiny_model(folder_, data_);

  Outcome encode(const std::string& features, const Words& more = {}) const {
    Words arguments{
        "encode", "--model", model_, "--features", features, "--codes", folder_.file("codes.shc")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

TEST_F(Inputs, NamesMayHoldAnyBytes) {
  const std::string odd = folder_.file("x\xff.csv");
  std::filesystem::copy_file(data_.features, odd);
  const std::string odd_model = folder_.file("m\xff.shm");
  const Outcome outcome =
      run({"train", "--method", "lsh", "--features", odd, "--model", odd_model, "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(nlohmann::json::parse(outcome.out)["model"].get<std::string>().ends_with(".shm"));
  EXPECT_EQ(run({"inspect", odd_model, "--json"}).exit_code, 0);
}

TEST_F(Inputs, WhatFollowsGzipDataIsRefused) {
  const std::string path = folder_.file("x.csv.gz");
  const std::string text = read_bytes(data_.features);
  gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  gzclose(file);
  ASSERT_EQ(encode(path, {"--format", "csv"}).exit_code, 0);
  const std::string whole = read_bytes(path);
  write_bytes(path, whole + "garbage");
  expect_error(encode(path, {"--format", "csv"}), 4, "is not gzip data");
  write_bytes(path, whole + whole);  // two pieces are one file, as for gunzip
  const Outcome twice = encode(path, {"--format", "csv"});
  EXPECT_EQ(twice.exit_code, 0) << twice.err;
  EXPECT_NE(twice.out.find("160 codes"), std::string::npos) << twice.out;
}

TEST_F(Inputs, AHeaderOfNumbersIsNotARow) {
  const std::string path = folder_.file("pandas.csv");
  write_bytes(path, "0,1,2,3,4,5,6,7\n" + read_bytes(data_.features));
  expect_error(encode(path), 3, "the first line counts the columns (0, 1, 2, ...)");
  write_bytes(path, "a,b,c,d,e,f,g,h\n0,1,2,3,4,5,6,7\n" + read_bytes(data_.features));
  const Outcome named = encode(path);
  EXPECT_EQ(named.exit_code, 0) << named.err;
  EXPECT_NE(named.out.find("81 codes"), std::string::npos) << named.out;
}

TEST_F(Inputs, QueriesThatWereTrainingRowsAreReported) {
  const Words evaluate{"evaluate", "--model",    model_,      "--features", data_.features,
                       "--labels", data_.labels, "--queries", "20",         "--json"};
  const Outcome all = run(evaluate);
  ASSERT_EQ(all.exit_code, 0) << all.err;
  EXPECT_NE(all.err.find("of the queries are training rows of this model"), std::string::npos)
      << all.err;
  EXPECT_GT(nlohmann::json::parse(all.out)["queries_from_training"].get<double>(), 0.9);
  ASSERT_EQ(run({"train", "--method", "lsh", "--features", data_.features, "--queries", "20",
                 "--model", model_})
                .exit_code,
            0);
  const Outcome held_out = run(evaluate);
  ASSERT_EQ(held_out.exit_code, 0) << held_out.err;
  EXPECT_EQ(held_out.err.find("training rows"), std::string::npos) << held_out.err;
  EXPECT_EQ(nlohmann::json::parse(held_out.out)["queries_from_training"].get<double>(), 0.0);
}

}  // namespace
}  // namespace structhash::test
