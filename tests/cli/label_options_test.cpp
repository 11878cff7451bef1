// Options about labels: grades and weights of classes.
#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/tiny_files.hpp"
#include "structhash/core/rng.hpp"

namespace structhash::test {
namespace {

using Words = std::vector<std::string>;

class LabelOptions : public testing::Test {
 protected:
  /// 120 rows of two far clusters, with three labels of which they have any.
  LabelOptions() {
    Rng rng(Seed{3});
    std::string text;
    for (int row = 0; row < 120; ++row) {
      text += row % 2 == 0 ? "1,0," : "0,1,";
      text += rng.uniform() < 0.5 ? "1\n" : "0\n";
    }
    write_bytes(multi_labels_, text);
  }

  Outcome train(const std::string& labels, const Words& more, const std::string& model) const {
    Words words{"train", "--features", data_.features, "--labels",    labels,  "--bits",
                "8",     "--model",    model,          "--functions", "linear"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  std::string bytes_of(const std::string& labels, const Words& more) const {
    const Outcome trained = train(labels, more, model_);
    EXPECT_EQ(trained.exit_code, 0) << trained.err;
    return read_bytes(model_);
  }
  void expect_refused(const std::string& labels, const Words& more, int exit_code,
                      const std::string& words) const {
    const Outcome trained = train(labels, more, folder_.file("none.shm"));
    EXPECT_EQ(trained.exit_code, exit_code);
    EXPECT_NE(trained.err.find(words), std::string::npos) << words << "\n" << trained.err;
  }

  const TemporaryFolder folder_;
  const TwoClusters data_{folder_, 120};
  const std::string multi_labels_ = folder_.file("multi.csv");
  const std::string model_ = folder_.file("m.shm");
};

TEST_F(LabelOptions, GradesAreChosen) {
  const std::string shared = bytes_of(multi_labels_, {});
  EXPECT_EQ(bytes_of(multi_labels_, {"--label-grades", "shared"}), shared);
  EXPECT_NE(bytes_of(multi_labels_, {"--label-grades", "jaccard"}), shared);
  EXPECT_NE(bytes_of(multi_labels_, {"--label-grades", "any"}), shared);
  expect_refused(multi_labels_, {"--label-grades", "jacard"}, 2, "did you mean 'jaccard'?");
  const Outcome judged =
      run({"train", "--features", data_.features, "--relevance", data_.labels, "--query-features",
           data_.features, "--label-grades", "jaccard", "--model", folder_.file("none.shm")});
  EXPECT_EQ(judged.exit_code, 2);
  EXPECT_NE(judged.err.find("--label-grades needs labels"), std::string::npos) << judged.err;
}

TEST_F(LabelOptions, ClassesAreWeighted) {
  std::string uneven;
  for (int row = 0; row < 120; ++row) {
    uneven += row % 10 == 0 ? "2\n" : row % 2 == 0 ? "0\n" : "1\n";
  }
  const std::string labels = folder_.file("uneven.csv");
  write_bytes(labels, uneven);
  EXPECT_NE(bytes_of(labels, {"--option", "class-weight=balanced"}), bytes_of(labels, {}));
  expect_refused(labels, {"--option", "class-weight=equal"}, 2, "none, root or balanced");
  expect_refused(multi_labels_, {"--option", "class-weight=root"}, 3,
                 "class-weight needs labels with one class per row");
}

}  // namespace
}  // namespace structhash::test
