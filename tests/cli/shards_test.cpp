// train --shards, and what the command says to mpirun when it was built without MPI.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"
#include "shard_data.hpp"

namespace structhash::test {
namespace {

class Shards : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const TwoClusters data_{folder_};

  Outcome train(const std::vector<std::string>& more,
                const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> arguments{"train",    "--features", data_.features,
                                       "--labels", data_.labels, "--bits",
                                       "4",        "--model",    folder_.file("m.shm")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, environment);
  }

  void expect_refused(const std::vector<std::string>& more, const std::string& words) const {
    const Outcome outcome = train(more);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.file("m.shm")));
  }
};

TEST_F(Shards, GiveTheSameModelForAnyNumberOfThreads) {
  ASSERT_EQ(train({"--shards", "2", "--threads", "1"}).exit_code, 0);
  const std::string one = read_bytes(folder_.file("m.shm"));
  ASSERT_EQ(train({"--shards", "2", "--threads", "2"}).exit_code, 0);
  EXPECT_EQ(read_bytes(folder_.file("m.shm")), one);
  ASSERT_EQ(train({"--shards", "1"}).exit_code, 0);
  const std::string whole = read_bytes(folder_.file("m.shm"));
  ASSERT_EQ(train({}).exit_code, 0);
  EXPECT_EQ(read_bytes(folder_.file("m.shm")), whole);
}

TEST_F(Shards, AreRefusedWhereNothingCanBeCut) {
  expect_refused({"--shards", "2", "--method", "cgh"}, "--shards needs the method structhash");
  expect_refused({"--shards", "2", "--functions", "stump"}, "linear or kernel");
  expect_refused({"--shards", "41"}, "at least two rows");
  expect_refused({"--shards", "0"}, "--shards");
}

/// The files do not exist, and nobody minds: the options are looked at first.
TEST_F(Shards, AreRefusedBeforeAnythingIsRead) {
  const std::string absent = folder_.file("absent.npy");
  const std::vector<std::string> common{"train",   "--features",         absent, "--shards", "2",
                                        "--model", folder_.file("m.shm")};
  const auto expect_usage = [&](std::vector<std::string> more, const std::string& words) {
    more.insert(more.begin(), common.begin(), common.end());
    const Outcome outcome = run(more);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  };
  expect_usage({"--labels", absent, "--functions", "stump"}, "linear or kernel functions");
  expect_usage({"--labels", absent, "--functions", "tree"}, "linear or kernel functions");
  expect_usage({"--labels", absent, "--method", "ksh"}, "--shards needs the method structhash");
  expect_usage({"--relevance", absent, "--query-features", absent}, "--shards needs labels");
}

TEST(ShardsFor, BelowAHundredThousandRowsNothingIsCut) {
  EXPECT_EQ(cli::shards_for(2), 1);
  EXPECT_EQ(cli::shards_for(131'071), 1);
  EXPECT_EQ(cli::shards_for(131'072), 8);
  EXPECT_EQ(cli::shards_for(200'000), 8);
  EXPECT_EQ(cli::shards_for(1'000'000), 32);
  EXPECT_EQ(cli::shards_for(1'000'000'000), 64);
}

TEST_F(Shards, SeveralProcessesNeedMpi) {
  if (STRUCTHASH_MPI) {
    GTEST_SKIP() << "this build has MPI";
  }
  const Outcome outcome = train({}, {"OMPI_COMM_WORLD_SIZE=2"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("built without MPI"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.file("m.shm")));
  EXPECT_EQ(train({}, {"OMPI_COMM_WORLD_SIZE=1"}).exit_code, 0);
}

}  // namespace
}  // namespace structhash::test
