// `features` and `data`, as a user runs them.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "features/gist.hpp"
#include "features/pictures.hpp"
#include "structhash/data/loaders.hpp"

namespace structhash::test {
namespace {

using Json = nlohmann::json;

class FeatureCommands : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories(std::filesystem::path(folder_.file(name)).parent_path());
    write_bytes(folder_.file(name), bytes);
    return folder_.file(name);
  }
  /// Two classes, three images.
  std::string photos() const {
    write("photos/cat/a.png", ramp_png(16, 16, 3));
    write("photos/cat/b.jpg", ramp_jpeg(16, 16, 1));
    write("photos/dog/c.png", ramp_png(16, 16, 1));
    return folder_.file("photos");
  }
  Outcome gist(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"features", "gist", "--out", folder_.file("x.npy")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  const TemporaryFolder folder_;
};

TEST_F(FeatureCommands, GistWritesWhatTheLibraryComputes) {
  const std::string images = photos();
  const std::string labels = folder_.file("y.npy");
  const Outcome done = gist({"--images", images, "--labels-out", labels, "--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const Json json = Json::parse(done.out);
  EXPECT_EQ(json["images"], 3);
  EXPECT_EQ(json["columns"], 512);
  EXPECT_EQ(json["classes"], (std::vector<std::string>{"cat", "dog"}));
  const ImageSet set = load_images(std::vector{images});
  EXPECT_EQ(load_features(std::vector{folder_.file("x.npy")}), structhash::gist(set));
  EXPECT_EQ(load_labels(std::vector{labels}).classes, (std::vector<int>{0, 0, 1}));

  const Outcome text = gist({"--images", images, "--size", "12", "--scales", "2", "--orientations",
                             "4", "--blocks", "3", "--threads", "1"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("3 images of 12 x 12 pixels described by 72 numbers"), std::string::npos)
      << text.out;
}

TEST_F(FeatureCommands, GistSaysWhatIsWrongAndLeavesNoFile) {
  const std::string small = write("small.png", ramp_png(16, 16, 1));
  const std::string wide = write("wide.png", ramp_png(16, 18, 1));
  const auto expect_error = [&](const Outcome& outcome, int code, const std::string& words) {
    EXPECT_EQ(outcome.exit_code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.file("x.npy")));
  };
  expect_error(gist({"--images", small, wide}), 3, "wide.png: is 18 x 16 pixels");
  expect_error(gist({"--images", write("bad.png", "\x89PNG")}), 3, "bad.png");
  expect_error(gist({"--images", small, "--labels-out", folder_.file("y.npy")}), 3, "labels");
  EXPECT_FALSE(std::filesystem::exists(folder_.file("y.npy")));
  expect_error(gist({"--images", small, "--labels-out", folder_.file("x.npy")}), 2, "same file");
  expect_error(gist({"--images", small, "--blocks", "17"}), 2, "17 x 17 blocks");
  expect_error(gist({"--images", small, "--scales", "0"}), 2, "1 or more");
  expect_error(gist({"--images", folder_.file("gone.bin")}), 2, "gone.bin");
  expect_error(gist({}), 2, "--images");
  expect_error(run({"features", "gist", "--images", small, "--out", folder_.file("no/x.npy")}), 5,
               "no/x.npy");
  expect_error(run({"features"}), 2, "needs a subcommand: gist");
  expect_error(run({"features", "gits"}), 2, "did you mean 'gist'?");
  expect_error(gist({"--imags", small}), 2, "did you mean '--images'?");
}

TEST_F(FeatureCommands, HelpBeginsWithExamples) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"features"},
                                                  {"features", "gist"},
                                                  {"data"},
                                                  {"data", "list"},
                                                  {"data", "check"}}) {
    auto arguments = command;
    arguments.emplace_back("--help");
    const Outcome help = run(arguments);
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_EQ(help.out.rfind("Examples:\n  structhash " + command.front(), 0), 0U) << help.out;
  }
}

TEST(DataCommands, ListNamesSourcesAndLicences) {
  const Outcome text = run({"data", "list"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("https://www.cs.toronto.edu/~kriz/cifar.html"), std::string::npos);
  const Json sets = Json::parse(run({"data", "list", "--json"}).out);
  EXPECT_GE(sets.size(), 9U);
  for (const Json& set : sets) {
    EXPECT_FALSE(set["licence"].get<std::string>().empty());
  }
}

TEST(DataCommands, CheckExitsWith3WhenAFileIsWrong) {
  const TemporaryFolder folder;
  const Outcome nothing = run({"data", "check", folder.path()});
  EXPECT_EQ(nothing.exit_code, 0) << nothing.err;
  EXPECT_NE(nothing.out.find("missing"), std::string::npos);
  write_bytes(folder.file("usps.h5"), "x");
  write_bytes(folder.file("sift_query.fvecs"), std::string(5'160'000, 'x'));
  write_bytes(folder.file("mine.txt"), "x");
  const Outcome wrong = run({"data", "check", folder.path()});
  EXPECT_EQ(wrong.exit_code, 3);
  for (const char* const line :
       {"wrong         usps.h5: expected 2913522 bytes, got 1", "missing       x.npy",
        "not verified  sift_query.fvecs", "unknown       mine.txt"}) {
    EXPECT_NE(wrong.out.find(line), std::string::npos) << line << "\n" << wrong.out;
  }
  EXPECT_NE(wrong.err.find("1 of the files is wrong"), std::string::npos) << wrong.err;
  const Outcome json = run({"data", "check", folder.path(), "--json"});
  EXPECT_EQ(json.exit_code, 3);
  EXPECT_EQ(Json::parse(json.out)["wrong"], 1);
  EXPECT_EQ(run({"data", "check", folder.file("gone")}).exit_code, 5);
  EXPECT_EQ(run({"data", "check"}).exit_code, 2);
}

}  // namespace
}  // namespace structhash::test
