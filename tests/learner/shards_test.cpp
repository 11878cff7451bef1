#include "core/shards.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <numeric>

#include "core/fingerprint.hpp"
#include "learner/cutting_plane.hpp"
#include "learner/structhash.hpp"
#include "ranking/training_gains.hpp"
#include "structhash/core/error.hpp"
#include "structhash/hashing/model_io.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "support/thread_processes.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

const std::vector<Index> kSizes{31, 70, 64, 55};  // rows of the shards

/// Lists of the rows begin..end-1 by their labels, over those rows alone.
void add_lists(TrainingSet& data, Index begin, Index end) {
  for (Index query = begin; query < end; ++query) {
    RelevanceList list{.query = query, .relevant = {}, .irrelevant = {}};
    for (Index row = begin; row < end; ++row) {
      if (row != query) {
        (data.labels.related(query, row) ? list.relevant : list.irrelevant).push_back(row);
      }
    }
    data.lists.push_back(std::move(list));
  }
}

/// The shards first..last-1 of one set of four: what a process holds.
TrainingSet shards_of_set(std::size_t first, std::size_t last) {
  const TrainingSet all = test::gaussian_clusters(
      Seed{3},
      {.clusters = 4, .rows_per_cluster = 55, .dimension = 9, .separation = 1.0, .lists = false});
  const Index before =
      std::accumulate(kSizes.begin(), kSizes.begin() + static_cast<long>(first), Index{0});
  TrainingSet part;
  part.shards.assign(kSizes.begin() + static_cast<long>(first),
                     kSizes.begin() + static_cast<long>(last));
  std::vector<Index> rows(
      static_cast<std::size_t>(std::accumulate(part.shards.begin(), part.shards.end(), Index{0})));
  std::iota(rows.begin(), rows.end(), before);
  part.x = all.x(rows, Eigen::all);
  part.labels = all.labels.select(rows);
  Index begin = 0;
  for (const Index size : part.shards) {
    add_lists(part, begin, begin + size);
    begin += size;
  }
  return part;
}

TrainingSet share_of(const Communicator& process) {
  const auto rank = static_cast<std::size_t>(process.rank());
  const auto size = static_cast<std::size_t>(process.size());
  return shards_of_set(4 * rank / size, 4 * (rank + 1) / size);
}

/// A fingerprint of them: whole files would only fill the screen.
std::string digest_of(const HashModel& model, const std::string& path) {
  save_model(model, path);
  Fingerprint sum;
  sum.add(std::span<const char>(test::read_bytes(path)));
  return sum.text();
}

struct Case {
  std::string name;
  std::string functions;
  std::map<std::string, std::string> extra;
};

void PrintTo(const Case& tested, std::ostream* out) {
  *out << tested.name;
}

class ShardsOf : public testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<Hasher> hasher() const {
    MethodOptions options{
        .bits = 6, .measure = "map", .functions = GetParam().functions, .extra = {}};
    options.extra.insert(GetParam().extra.begin(), GetParam().extra.end());
    return make_structhash(options);
  }

  /// The model of so many processes; all of them must have learned the same.
  std::string model_of(int processes, int threads = 1, const std::string& checkpoint = {},
                       int reports = 1'000'000) {
    std::vector<std::string> models(static_cast<std::size_t>(processes));
    test::as_processes(processes, [&](Communicator& process) {
      int left = reports;
      const HashModel model = hasher()->fit(
          share_of(process), {.seed = Seed{2},
                              .threads = threads,
                              .on_progress = [&](const Progress&) { return left-- > 0; },
                              .checkpoint = checkpoint,
                              .processes = &process});
      const auto rank = static_cast<std::size_t>(process.rank());
      models[rank] = digest_of(model, folder_.file("m" + std::to_string(rank)));
    });
    for (const std::string& model : models) {
      EXPECT_EQ(model, models[0]);
    }
    return models[0];
  }

  test::TemporaryFolder folder_;
};

TEST_P(ShardsOf, GiveTheSameBytesForAnyNumberOfProcessesAndThreads) {
  const HashModel alone = hasher()->fit(shards_of_set(0, 4), {.seed = Seed{2}});
  const std::string expected = digest_of(alone, folder_.file("alone"));
  EXPECT_EQ(model_of(2), expected);
  EXPECT_EQ(model_of(3, 2), expected);
  EXPECT_EQ(model_of(4), expected);
}

TEST_P(ShardsOf, GoOnFromACheckpointWithAnyNumberOfProcesses) {
  const std::string expected = model_of(1);
  const std::string path = folder_.file("checkpoint");
  int processes = 1;
  for (int stops = 0;; ++stops) {
    ASSERT_LT(stops, 40) << "a stopped training does not come forward";
    processes = 1 + stops % 4;
    try {
      EXPECT_EQ(model_of(processes, 1, path, 8), expected);
      break;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), Errc::interrupted) << error.what();
    }
  }
  EXPECT_TRUE(std::filesystem::exists(path));
}

const std::map<std::string, std::string> kGiven{
    {"trade-off", "20"}, {"ridge", "0.02"}, {"penalty", "0.2"}, {"shrinkage", "0.5"}};

std::map<std::string, std::string> given_and(const std::string& name, const std::string& value) {
  auto all = kGiven;
  all[name] = value;
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    Learner, ShardsOf,
    testing::Values(Case{"linear", "linear", kGiven}, Case{"chosen", "linear", {}},
                    Case{"stage_wise", "linear", given_and("stage-wise", "true")},
                    Case{"bootstrap", "linear", given_and("bootstrap", "true")},
                    Case{"kernel",
                         "kernel",
                         {{"anchors", "40"},
                          {"trade-off", "10"},
                          {"ridge", "1e-4"},
                          {"penalty", "0.3"},
                          {"shrinkage", "0.9"},
                          {"width", "0.25"}}}),
    [](const auto& tested) { return tested.param.name; });

TEST(Shards, OneShardIsNoCut) {
  TrainingSet data =
      test::gaussian_clusters(Seed{4}, {.clusters = 3, .rows_per_cluster = 40, .separation = 1.0});
  const auto hasher = make_structhash({.bits = 5, .measure = "map", .functions = {}, .extra = {}});
  const HashModel plain = hasher->fit(data, {});
  data.shards = {data.x.rows()};
  const HashModel cut = hasher->fit(data, {});
  EXPECT_EQ(plain.parameters, cut.parameters);
  EXPECT_EQ(plain.encoder, cut.encoder);
  EXPECT_EQ(plain.bit_weights, cut.bit_weights);
}

TEST(Shards, SumInTheOrderOfShards) {
  const std::vector<double> terms{1e16, 1.0, -1e16, 3.0};  // any other order gives another sum
  const auto sum_of = [&](const Shards& shards) {
    return shards.sum(2, [&](Index shard, std::span<double> part) {
      part[0] = terms[static_cast<std::size_t>(shards.number(shard))];
      part[1] = -0.0;
    });
  };
  const std::vector<double> expected = sum_of(Shards(kSizes, nullptr));
  EXPECT_EQ(expected[0], ((1e16 + 1.0) - 1e16) + 3.0);
  EXPECT_TRUE(std::signbit(expected[1]));
  for (int processes = 2; processes <= 4; ++processes) {
    test::as_processes(processes, [&](Communicator& process) {
      EXPECT_EQ(sum_of(Shards(share_of(process).shards, &process)), expected);
    });
  }
}

TEST(Shards, GatherRowsOfAllProcesses) {
  const TrainingSet all = shards_of_set(0, 4);
  const std::vector<Index> numbers{0, 30, 31, 100, 101, 219};
  const Matrix<float> expected = all.x(numbers, Eigen::all);
  EXPECT_EQ(Shards(kSizes, nullptr).gather_rows(all.x, numbers), expected);
  test::as_processes(3, [&](Communicator& process) {
    const TrainingSet part = share_of(process);
    const Shards shards(part.shards, &process);
    EXPECT_EQ(shards.all_rows(), 220);
    EXPECT_EQ(shards.total(), 4);
    EXPECT_EQ(shards.gather_rows(part.x, numbers), expected);
  });
}

/// What a pass of the row oracle sends grows with the bits alone, not with the lists.
TEST(Shards, BytesOfAPassDoNotGrowWithTheLists) {
  constexpr Index kBits = 16;
  const auto measure = make_measure("map");
  test::as_processes(2, [&](Communicator& process) {
    std::vector<std::int64_t> sent;
    for (const bool twice : {false, true}) {
      TrainingSet part = share_of(process);
      if (twice) {
        const auto once = part.lists;
        part.lists.insert(part.lists.end(), once.begin(), once.end());
      }
      const ListTable lists(part.lists, *measure, Shards(part.shards, &process));
      const std::int64_t before = process.bytes_sent();
      most_violated_plane(lists, CodeMatrix(part.x.rows(), kBits), std::vector(kBits, 1.0), 1);
      sent.push_back(process.bytes_sent() - before);
    }
    EXPECT_EQ(sent[0], (kBits + 1) * 8);
    EXPECT_EQ(sent[1], sent[0]);
  });
}

TEST(Shards, RefuseWhatTheyCannotHold) {
  TrainingSet data = shards_of_set(0, 4);
  test::expect_error(Errc::usage, "linear and kernel", [&] {
    make_structhash({.bits = 4, .measure = {}, .functions = "stump", .extra = {}})->fit(data, {});
  });
  const auto hasher = make_structhash({.bits = 4, .measure = {}, .functions = {}, .extra = {}});
  data.lists[0].relevant.push_back(219);
  test::expect_error(Errc::usage, "outside the shard", [&] { hasher->fit(data, {}); });
  data.shards = {10, 20};
  test::expect_error(Errc::usage, "all of its rows", [&] { hasher->fit(data, {}); });
}

}  // namespace
}  // namespace structhash
