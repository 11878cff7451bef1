// No command destroys what it reads, and a replaced file stays the file of its owner.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"

namespace structhash::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// A model, codes, result rows and an image: an input for every command.
class FileSafety : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run({"encode", "--model", model_, "--features", data_.features, "--codes", codes_})
                  .exit_code,
              0);
    const nlohmann::json experiment{
        {"datasets",
         {{{"name", "two"}, {"features", {data_.features}}, {"labels", {data_.labels}}}}},
        {"protocol", {{"queries", 20}, {"train", 60}}},
        {"methods", {{{"method", "lsh"}}}},
        {"bits", {4}},
        {"measures", {"map"}}};
    write_bytes(experiment_, experiment.dump());
    ASSERT_EQ(run({"experiment", experiment_, "--results", rows_}).exit_code, 0);
    write_bytes(batch_, std::string(3073, '\1'));  // one CIFAR-10 image
  }

  /// Refuses with exit code 2 and leaves every byte of `file` as it was.
  void expect_refused(const Words& arguments, const std::string& file, const Words& names) const {
    const std::string before = fs::exists(file) ? read_bytes(file) : "";
    const auto entries = folder_.entries();
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments[0] << "\n" << outcome.err;
    for (const std::string& name : names) {
      EXPECT_NE(outcome.err.find(name), std::string::npos) << name << "\n" << outcome.err;
    }
    EXPECT_EQ(fs::exists(file) ? read_bytes(file) : "", before) << arguments[0];
    EXPECT_EQ(folder_.entries(), entries) << arguments[0];
  }

  const TemporaryFolder folder_;
  const TwoClusters data_{folder_};
  const std::string model_ = train_tiny_model(folder_, data_);
  const std::string codes_ = folder_.file("codes.shc");
  const std::string experiment_ = folder_.file("e.json");
  const std::string rows_ = folder_.file("rows.jsonl");
  const std::string batch_ = folder_.file("data_batch_1.bin");
};

TEST_F(FileSafety, NoCommandOverwritesItsInput) {
  const std::string& x = data_.features;
  const std::string& y = data_.labels;
  const Words encode{"encode", "--model", model_, "--features", x, "--codes"};
  const Words search{"search", "--model", model_, "--codes", codes_, "--queries", x};
  const Words evaluate{"evaluate", "--model", model_,      "--features", x,
                       "--labels", y,         "--queries", "9"};
  const Words report{"report", rows_, "--experiment", experiment_, "--out"};
  struct Case {
    Words arguments;
    Words more;
    std::string file;
  };
  const std::vector<Case> cases{
      {{"train", "--method", "lsh", "--features", x, "--model"}, {x}, x},
      {{"train", "--features", x, "--labels", y, "--model"}, {y}, y},
      {{"train", "--features", x, "--labels", y, "--model", "m", "--checkpoint"}, {x}, x},
      {encode, {x}, x},
      {encode, {model_}, model_},
      {{"convert", "--codes", codes_, "--to", "npy", "--out"}, {codes_}, codes_},
      {search, {"--neighbours", x}, x},
      {search, {"--out", x}, x},
      {{"index", "build", "--model", model_, "--features", x, "--out"}, {x}, x},
      {search, {"--neighbours", codes_}, codes_},
      {search, {"--distances", model_}, model_},
      {evaluate, {"--run", x}, x},
      {evaluate, {"--curves", y}, y},
      {evaluate, {"--run", model_}, model_},
      {report, {rows_}, rows_},
      {report, {experiment_}, experiment_},
      {{"experiment", experiment_, "--results"}, {experiment_}, experiment_},
      {{"experiment", experiment_, "--results"}, {x}, x},
      {{"features", "gist", "--images", batch_, "--out"}, {batch_}, batch_},
  };
  for (const Case& one : cases) {
    Words arguments = one.arguments;
    arguments.insert(arguments.end(), one.more.begin(), one.more.end());
    expect_refused(arguments, one.file, {"would overwrite the input", one.file});
  }
}

TEST_F(FileSafety, AnInputIsRecognisedByItsInode) {
  const std::string hard = folder_.file("hard.csv");
  const std::string soft = folder_.file("soft.csv");
  fs::create_hard_link(data_.features, hard);
  fs::create_symlink(data_.features, soft);
  const std::string name = fs::path(data_.features).filename();
  for (const std::string& alias :
       {hard, soft, folder_.path() + "/./" + name,
        folder_.path() + "/../" + fs::path(folder_.path()).filename().string() + "/" + name}) {
    expect_refused({"encode", "--model", model_, "--features", data_.features, "--codes", alias},
                   data_.features, {"would overwrite the input"});
  }
  const std::string h5 = folder_.file("x.h5");
  write_bytes(h5, "not read");
  expect_refused({"encode", "--model", model_, "--features", h5 + ":a/b", "--codes", h5}, h5,
                 {"would overwrite the input"});
}

TEST_F(FileSafety, AnImageInAFolderIsAnInput) {
  fs::create_directory(folder_.file("photos"));
  const std::string image = folder_.file("photos/a.png");
  write_bytes(image, "not read");
  expect_refused({"features", "gist", "--images", folder_.file("photos"), "--out", image}, image,
                 {"would overwrite the input", image});
}

/// `train --model a.shm --checkpoint ./a.shm` deleted the model that it had just written.
TEST_F(FileSafety, TwoOutputsAreTwoFiles) {
  const std::string both = folder_.file("new");
  const std::string also = folder_.path() + "/./new";
  const Words train{"train",   "--features", data_.features, "--labels", data_.labels,
                    "--model", both,         "--checkpoint", also};
  expect_refused(train, both, {"--model and --checkpoint name the same file"});
  fs::create_symlink("new", folder_.file("link"));  // to a file that does not exist
  expect_refused({"search", "--model", model_, "--codes", codes_, "--queries", data_.features,
                  "--neighbours", both, "--distances", folder_.file("link")},
                 both, {"--neighbours and --distances name the same file"});
  expect_refused({"evaluate", "--model", model_, "--features", data_.features, "--labels",
                  data_.labels, "--queries", "9", "--run", both, "--curves", also},
                 both, {"--run and --curves name the same file"});
  expect_refused({"features", "gist", "--images", batch_, "--out", both, "--labels-out", also},
                 both, {"--out and --labels-out name the same file"});
}

TEST_F(FileSafety, WriteProtectedFilesAreNotReplaced) {
  ASSERT_EQ(::chmod(codes_.c_str(), 0444), 0);
  const std::string before = read_bytes(codes_);
  const Words encode{"encode", "--model", model_, "--features", data_.features, "--codes", codes_};
  const Outcome refused = run(encode);
  EXPECT_EQ(refused.exit_code, 5) << refused.err;
  EXPECT_NE(refused.err.find("write-protected"), std::string::npos) << refused.err;
  EXPECT_EQ(read_bytes(codes_), before);
  ASSERT_EQ(::chmod(codes_.c_str(), 0640), 0);
  EXPECT_EQ(run(encode).exit_code, 0);
}

TEST_F(FileSafety, ReplacedFilesKeepModeAndOwner) {
  ASSERT_EQ(::chmod(codes_.c_str(), 0606), 0);
  constexpr uid_t kNobody = 65534;
  const bool root = ::geteuid() == 0;  // only root may give a file away
  if (root) {
    ASSERT_EQ(::chown(codes_.c_str(), kNobody, kNobody), 0);
  }
  struct stat before{};
  struct stat after{};
  ASSERT_EQ(::stat(codes_.c_str(), &before), 0);
  ASSERT_EQ(
      run({"encode", "--model", model_, "--features", data_.features, "--codes", codes_}).exit_code,
      0);
  ASSERT_EQ(::stat(codes_.c_str(), &after), 0);
  EXPECT_NE(after.st_ino, before.st_ino) << "replaced as a whole";
  EXPECT_EQ(after.st_mode, before.st_mode);
  EXPECT_EQ(after.st_uid, before.st_uid);
  EXPECT_EQ(after.st_gid, before.st_gid);
}

TEST_F(FileSafety, ALinkToNoFileIsFollowed) {
  fs::create_directory(folder_.file("store"));
  fs::create_symlink("store/codes.shc", folder_.file("link"));
  const Outcome outcome = run(
      {"encode", "--model", model_, "--features", data_.features, "--codes", folder_.file("link")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(fs::is_symlink(folder_.file("link")));
  EXPECT_EQ(read_bytes(folder_.file("store/codes.shc")), read_bytes(codes_));
}

}  // namespace
}  // namespace structhash::test
