#include "training_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "support/temporary_folder.hpp"

namespace structhash::cli {
namespace {

/// Weights of the lists of one query: one item of grade 2, two of grade 1, one of grade 0.
std::vector<double> list_weights(const std::string& measure) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("x.csv")) << "1,0\n0,1\n1,1\n0,0\n";
  std::ofstream(folder.file("q.csv")) << "1,2\n";
  std::ofstream(folder.file("qrels.trec")) << "1 0 1 2\n1 0 2 1\n1 0 3 1\n1 0 4 0\n";
  TrainingFiles files;
  files.items.features = {folder.file("x.csv")};
  files.query_files.features = {folder.file("q.csv")};
  files.relevance = folder.file("qrels.trec");
  files.measure = measure;
  const auto alone = make_single_process();
  const TrainingData data = prepare_training(files, Supervision::lists, Seed{1}, 1, {*alone});
  std::vector<double> weights;
  for (const RelevanceList& list : data.set.lists) {
    weights.push_back(list.weight);
  }
  return weights;
}

/// weight_t = 2^(t-1) IDCG_t over their sum: three items pass grade 1, one passes grade 2.
TEST(TrainingData, GradedListsFollowTheMeasure) {
  const double log3 = 1.0 / std::log2(3.0);  // third of the paper's discounts 1, 1, log3, second
                                             // of the standard ones 1, log3, 1/2
  const auto expect = [](const std::string& measure, double low, double high) {
    const std::vector<double> weights = list_weights(measure);
    ASSERT_EQ(weights.size(), 2U) << measure;
    EXPECT_NEAR(weights[0], low / (low + high), 1e-12) << measure;
    EXPECT_NEAR(weights[1], high / (low + high), 1e-12) << measure;
  };
  expect("ndcg@100", 1.5 + log3, 2.0);
  expect("ndcg@2", 1.0 + log3, 2.0);
  expect("ndcg@1", 1.0, 2.0);
  expect("ndcg-paper@100", 2.0 + log3, 2.0);
  expect("ndcg-paper@2", 2.0, 2.0);
  expect("map", 1.0, 2.0);
  expect("", 1.0, 2.0);
}

}  // namespace
}  // namespace structhash::cli
