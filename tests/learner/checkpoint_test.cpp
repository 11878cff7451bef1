#include "learner/checkpoint.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/json_fields.hpp"
#include "learner/structhash.hpp"
#include "structhash/core/container.hpp"
#include "structhash/core/error.hpp"
#include "structhash/hashing/model_io.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

TrainingSet small_clusters() {
  return test::gaussian_clusters(
      Seed{5}, {.clusters = 4, .rows_per_cluster = 30, .dimension = 10, .separation = 1.0});
}

MethodOptions options_of(const std::string& functions) {
  return {.bits = 7, .measure = "map", .functions = functions, .extra = {}};
}

HashModel fit(const MethodOptions& options, const TrainingSet& data, const std::string& checkpoint,
              int threads = 1, const ProgressCallback& on_progress = nullptr) {
  return make_structhash(options)->fit(
      data,
      {.seed = Seed{1}, .threads = threads, .on_progress = on_progress, .checkpoint = checkpoint});
}

std::string bytes_of(const HashModel& model, const std::string& path) {
  save_model(model, path);
  return test::read_bytes(path);
}

/// Stops every run at the first report after `reports`, until one gets through; returns how often
/// it was stopped.
int fit_with_stops(const MethodOptions& options, const TrainingSet& data,
                   const std::string& checkpoint, int reports, HashModel& model) {
  for (int stops = 0;; ++stops) {
    int left = reports;
    try {
      model = fit(options, data, checkpoint, 1 + stops % 2,
                  [&](const Progress&) { return left-- > 0; });
      return stops;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::interrupted) << error.what();
      EXPECT_LT(stops, 100) << "a stopped training does not come forward";
      if (error.code() != Errc::interrupted || stops >= 100) {
        return stops;
      }
    }
  }
}

class CheckpointOf : public testing::TestWithParam<const char*> {};

/// The parameter: the family, and after a comma an option.
TEST_P(CheckpointOf, LeadsToTheSameBytesAsAnUndisturbedTraining) {
  const std::string text = GetParam();
  MethodOptions options = options_of(text.substr(0, text.find(',')));
  options.extra["tune"] = "true";
  if (text.find(',') != std::string::npos) {
    options.extra["stage-wise"] = "true";
  }
  const TrainingSet data = small_clusters();
  const test::TemporaryFolder folder;
  const std::string whole = bytes_of(fit(options, data, ""), folder.file("whole.shm"));
  EXPECT_EQ(bytes_of(fit(options, data, folder.file("kept")), folder.file("kept.shm")), whole);
  // Trials report after every bit and are kept at 1, 3 and 7 bits.
  HashModel model;
  EXPECT_GE(fit_with_stops(options, data, folder.file("stopped"), 8, model), 2);
  EXPECT_EQ(bytes_of(model, folder.file("stopped.shm")), whole);
}

INSTANTIATE_TEST_SUITE_P(Families, CheckpointOf,
                         testing::Values("linear", "kernel", "stump", "tree", "linear,stage-wise"));

TEST(Checkpoint, EveryBitIsKept) {
  MethodOptions options = options_of("linear");
  options.bits = 70;  // enough for planes to be dropped, and for a second word of the codes
  options.extra = {{"trade-off", "10"},
                   {"ridge", "0.02"},
                   {"penalty", "0.2"},
                   {"shrinkage", "0.5"}};  // nothing to choose: every report is a bit
  const TrainingSet data = small_clusters();
  const test::TemporaryFolder folder;
  const std::string whole = bytes_of(fit(options, data, ""), folder.file("whole.shm"));
  HashModel model;
  // Stopped at every single report: each run learns one bit.
  EXPECT_EQ(fit_with_stops(options, data, folder.file("c"), 0, model), 70);
  EXPECT_EQ(bytes_of(model, folder.file("m.shm")), whole);
}

TEST(Checkpoint, IsContinuedToMoreBits) {
  const TrainingSet data = small_clusters();
  for (const char* functions : {"linear", "kernel", "tree"}) {
    SCOPED_TRACE(functions);
    const test::TemporaryFolder folder;
    MethodOptions options = options_of(functions);
    fit(options, data, folder.file("c"));
    options.bits = 12;
    const std::string whole = bytes_of(fit(options, data, ""), folder.file("whole.shm"));
    Index bits = 0;
    const HashModel model = fit(options, data, folder.file("c"), 1, [&](const Progress& at) {
      bits += at.stage == "training" ? 1 : 0;
      return true;
    });
    EXPECT_EQ(bytes_of(model, folder.file("more.shm")), whole);
    EXPECT_EQ(bits, 5);
    options.bits = 14;
    options.extra["tune"] = "true";
    test::expect_error(Errc::bad_data, "there and", [&] { fit(options, data, folder.file("c")); });
  }
}

TEST(Checkpoint, MayBeWrittenInTheEndAlone) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("c");
  const auto bits_done = [&] { return JsonFields(Container(path)).count("bits_done"); };
  const ProgressCallback on_progress = [&](const Progress& progress) {
    EXPECT_EQ(bits_done(), progress.done < 7.0 ? 0 : 7) << progress.stage;
    return true;
  };
  make_structhash(options_of("kernel"))
      ->fit(small_clusters(), {.seed = Seed{1},
                               .on_progress = on_progress,
                               .checkpoint = path,
                               .checkpoint_every_bit = false});
  EXPECT_EQ(bits_done(), 7);
}

TEST(Checkpoint, OfAnotherTrainingIsRefusedByName) {
  const TrainingSet data = small_clusters();
  const test::TemporaryFolder folder;
  const std::string path = folder.file("checkpoint");
  MethodOptions options = options_of("linear");
  options.extra["trade-off"] = "10";
  fit(options, data, path);
  const std::string before = test::read_bytes(path);

  MethodOptions other = options;
  other.bits = 5;
  test::expect_error(Errc::bad_data, "bits is 7 there and 5 here", [&] { fit(other, data, path); });
  other.bits = 9;
  other.extra["gap"] = "0.5";
  test::expect_error(Errc::bad_data, "gap is 0.1 there and 0.5 here",
                     [&] { fit(other, data, path); });  // more bits alone would be no difference
  other = options;
  other.bits = 9;
  other.extra["tune"] = "true";
  test::expect_error(Errc::bad_data, "bits is 7 there and 9 here, which changes its trials",
                     [&] { fit(other, data, path); });
  test::expect_error(Errc::bad_data, "functions is \"linear\" there and \"kernel\" here",
                     [&] { fit(options_of("kernel"), data, path); });
  other = options;
  other.extra["trade-off"] = "auto";
  test::expect_error(Errc::bad_data, "trade-off is 10.0 there and \"auto\" here",
                     [&] { fit(other, data, path); });
  TrainingSet changed = data;
  changed.x(3, 4) += 1e-3F;
  test::expect_error(Errc::bad_data, "features, labels or lists",
                     [&] { fit(options, changed, path); });
  changed = data;
  std::swap(changed.lists[5].relevant[0], changed.lists[5].relevant[1]);
  test::expect_error(Errc::bad_data, "features, labels or lists",
                     [&] { fit(options, changed, path); });
  EXPECT_EQ(test::read_bytes(path), before);
}

TEST(Checkpoint, EveryOptionTellsTrainingsApart) {
  const TrainingSet data = small_clusters();
  const test::TemporaryFolder folder;
  const std::string path = folder.file("checkpoint");
  const MethodOptions options = options_of("kernel");
  fit(options, data, path);
  const std::vector<std::pair<std::string, std::string>> others{
      {"trade-off", "11"},    {"ridge", "0.01"},       {"penalty", "0.7"},
      {"width", "0.6"},       {"shrinkage", "0.3"},    {"dither", "0.1"},
      {"auc-share", "0.1"},   {"anchors", "17"},       {"self-response", "0.9"},
      {"random-starts", "1"}, {"spectral-steps", "4"}, {"iterations", "5"},
      {"validation", "0.3"},  {"gap", "0.2"},          {"bootstrap", "false"},
      {"stage-wise", "true"}, {"max-planes", "9"},     {"idle-bits", "2"},
      {"tolerance", "0.01"},  {"tune", "true"}};
  for (const auto& [name, value] : others) {
    MethodOptions other = options;
    other.extra[name] = value;
    test::expect_error(Errc::bad_data, name + " is ", [&] { fit(other, data, path); });
  }
}

TEST(Checkpoint, ThatIsDamagedOrNoCheckpointIsRefusedAndLeftAlone) {
  const TrainingSet data = small_clusters();
  const test::TemporaryFolder folder;
  const std::string path = folder.file("checkpoint");
  fit(options_of("tree"), data, path);
  const std::string good = test::read_bytes(path);
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 97) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    test::write_bytes(path, bad);
    test::expect_error(Errc::corrupt_file, "checkpoint",
                       [&] { fit(options_of("tree"), data, path); });
    EXPECT_EQ(test::read_bytes(path), bad);
  }
  save_model(fit(options_of("stump"), data, ""), path);
  test::expect_error(Errc::corrupt_file, "kind 'model', not 'checkpoint'",
                     [&] { fit(options_of("stump"), data, path); });
}

TEST(Checkpoint, ThatCannotBeWrittenIsAnErrorBeforeTheWorkBegins) {
  const test::TemporaryFolder folder;
  int reports = 0;
  test::expect_error(Errc::io, "no-such-folder", [&] {
    fit(options_of("linear"), small_clusters(), folder.file("no-such-folder/checkpoint"), 1,
        [&](const Progress&) { return ++reports > 0; });
  });
  EXPECT_EQ(reports, 0);
}

}  // namespace
}  // namespace structhash
