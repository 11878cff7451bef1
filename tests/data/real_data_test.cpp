#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "data/files.hpp"
#include "support/places.hpp"

/// The public data sets, where they are at hand: shapes and values known from their descriptions.
namespace structhash {
namespace {

class RealData : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(at(""))) {
      GTEST_SKIP() << "no data sets in " << at("");
    }
  }
  static std::string at(const std::string& name) { return test::in_shared_data(name); }
  static std::vector<int> class_counts(const Labels& labels, int classes) {
    std::vector<int> counts(static_cast<std::size_t>(classes));
    for (const int label : labels.classes) {
      ++counts.at(static_cast<std::size_t>(label));
    }
    return counts;
  }
};

TEST_F(RealData, Mnist) {
  const std::vector<std::string> x{at("mnist/train-images-idx3-ubyte.gz"),
                                   at("mnist/t10k-images-idx3-ubyte.gz")};
  const std::vector<std::string> y{at("mnist/train-labels-idx1-ubyte.gz"),
                                   at("mnist/t10k-labels-idx1-ubyte.gz")};
  const Dataset data = load_dataset(x, y, "mnist");
  EXPECT_EQ(data.size(), 70'000);
  EXPECT_EQ(data.dimension(), 784);
  EXPECT_EQ(data.features.minCoeff(), 0.0F);
  EXPECT_EQ(data.features.maxCoeff(), 255.0F);
  EXPECT_EQ(std::vector<int>(data.labels.classes.begin(), data.labels.classes.begin() + 5),
            (std::vector<int>{5, 0, 4, 1, 9}));
  EXPECT_EQ(class_counts(data.labels, 10)[1], 6'742 + 1'135);
}

TEST_F(RealData, UspsInBothFormats) {
  const std::vector<std::string> x{at("usps/usps.h5:train/data"), at("usps/usps.h5:test/data")};
  const std::vector<std::string> y{at("usps/usps.h5:train/target"), at("usps/usps.h5:test/target")};
  const Dataset h5 = load_dataset(x, y, "usps");
  const Dataset npy =
      load_dataset(std::vector{at("usps/x.npy")}, std::vector{at("usps/y.npy")}, "usps");
  EXPECT_EQ(npy.size(), 7'291 + 2'007);
  EXPECT_EQ(npy.dimension(), 256);
  EXPECT_EQ(h5.features, npy.features);
  EXPECT_EQ(h5.labels.classes, npy.labels.classes);
}

TEST_F(RealData, Cifar) {
  const Dataset data = load_dataset(std::vector{at("cifar-10-batches-bin/data_batch_1.bin"),
                                                at("cifar-10-batches-bin/test_batch.bin")},
                                    {}, "cifar");
  EXPECT_EQ(data.size(), 20'000);
  EXPECT_EQ(data.dimension(), 3'072);
  EXPECT_EQ(data.labels.classes[0], 6);       // a frog
  EXPECT_EQ(data.labels.classes[10'000], 3);  // a cat
  const auto counts = class_counts(data.labels.select([] {
    std::vector<Index> test(10'000);
    std::iota(test.begin(), test.end(), 10'000);
    return test;
  }()),
                                   10);
  EXPECT_EQ(counts, std::vector<int>(10, 1'000));
}

TEST_F(RealData, SiftAndItsGroundTruth) {
  const Matrix<float> base = test::load(at("siftsmall/siftsmall_base.fvecs"));
  const Matrix<float> queries = test::load(at("siftsmall/siftsmall_query.fvecs"));
  const Matrix<float> truth = test::load(at("siftsmall/siftsmall_groundtruth.ivecs"));
  ASSERT_EQ(base.rows(), 10'000);
  ASSERT_EQ(base.cols(), 128);
  ASSERT_EQ(queries.rows(), 100);
  ASSERT_EQ(truth.cols(), 100);
  for (Index query = 0; query < queries.rows(); ++query) {
    Index nearest = 0;
    (base.rowwise() - queries.row(query)).rowwise().squaredNorm().minCoeff(&nearest);
    EXPECT_EQ(nearest, static_cast<Index>(truth(query, 0)));
  }
}

TEST_F(RealData, SceneAndCranfield) {
  const Dataset scene =
      load_dataset(std::vector{at("scene/x.npy")}, std::vector{at("scene/y.npy")}, "scene");
  EXPECT_EQ(scene.size(), 2'407);
  EXPECT_EQ(scene.dimension(), 294);
  EXPECT_EQ(scene.labels.multi.cols(), 6);
  EXPECT_EQ(test::load(at("cranfield/docs_use512.npy")).rows(), 1'400);
  EXPECT_EQ(test::load(at("cranfield/queries_use512.npy")).rows(), 225);
}

}  // namespace
}  // namespace structhash
