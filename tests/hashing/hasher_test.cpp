#include "structhash/hashing/hasher.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.hpp"
#include "support/tiny_datasets.hpp"

namespace structhash {
namespace {

using test::expect_error;

TEST(TrainingSetCheck, AcceptsWhatAMethodNeeds) {
  const TrainingSet data = test::gaussian_clusters(Seed{1});
  for (const auto needed : {Supervision::none, Supervision::labels, Supervision::lists}) {
    EXPECT_NO_THROW(check(data, needed));
  }
  EXPECT_NO_THROW(check({.x = data.x, .labels = data.labels, .lists = {}}, Supervision::labels));
  EXPECT_NO_THROW(check({.x = data.x, .labels = {}, .lists = data.lists}, Supervision::lists));
}

TEST(TrainingSetCheck, FeaturesMustHaveASizeThatCanBeSquared) {
  const auto with = [](float value) {
    return TrainingSet{.x = Matrix<float>{{0, value}, {0, -value}}, .labels = {}, .lists = {}};
  };
  for (const float good : {0.0F, 1e-14F, 1.0F, 1e14F}) {
    EXPECT_NO_THROW(check(with(good), Supervision::none)) << good;
  }
  for (const float bad : {1e-42F, 1e-30F, 1e16F, 1e30F, 3e38F}) {
    expect_error(Errc::bad_data, "scale the features",
                 [&] { check(with(bad), Supervision::none); });
  }
}

TEST(TrainingSetCheck, FeaturesOfALoaderAreNotScannedAgain) {
  TrainingSet data{.x = Matrix<float>{{0, 1}, {2, std::nanf("")}}, .labels = {}, .lists = {}};
  expect_error(Errc::bad_data, "row 2, column 2 is nan", [&] { check(data, Supervision::none); });
  data.finite = true;
  EXPECT_NO_THROW(check(data, Supervision::none));
}

TEST(TrainingSetCheck, LabelsMustTellRowsApart) {
  TrainingSet data{.x = Matrix<float>{{1}, {2}, {3}}, .labels = {}, .lists = {}};
  expect_error(Errc::bad_data, "there are none", [&] { check(data, Supervision::labels); });
  data.labels.classes = {5, 5, 5};
  expect_error(Errc::bad_data, "two classes", [&] { check(data, Supervision::labels); });
  data.labels.classes = {5, 5, 6};
  EXPECT_NO_THROW(check(data, Supervision::labels));
}

TEST(TrainingSetCheck, MultiLabelsMustTellRowsApart) {
  TrainingSet data{.x = Matrix<float>{{1}, {2}}, .labels = {}, .lists = {}};
  data.labels.multi = Matrix<std::uint8_t>{{1, 0, 1}, {1, 0, 1}};
  expect_error(Errc::bad_data, "two classes", [&] { check(data, Supervision::labels); });
  data.labels.multi(1, 1) = 1;
  EXPECT_NO_THROW(check(data, Supervision::labels));
}

TEST(TrainingSetCheck, ListsMustExistAndNameRows) {
  TrainingSet data = test::gaussian_clusters(Seed{1});
  const auto refused = [&](const std::string& words, const auto& change) {
    TrainingSet bad = data;
    change(bad.lists[2]);
    expect_error(Errc::bad_data, words, [&] { check(bad, Supervision::lists); });
  };
  refused("relevance list 3: row 0", [](RelevanceList& list) { list.query = -1; });
  refused("relevance list 3: row 61", [](RelevanceList& list) { list.query = 60; });
  refused("relevance list 3: row 61", [](RelevanceList& list) { list.relevant[0] = 60; });
  refused("relevance list 3: row 0", [](RelevanceList& list) { list.irrelevant[0] = -1; });
  refused("list 3 needs at least", [](RelevanceList& list) { list.irrelevant.clear(); });
  refused("list 3: its weight is nan", [](RelevanceList& list) { list.weight = std::nan(""); });
  refused("list 3: its weight is -1", [](RelevanceList& list) { list.weight = -1.0; });
  data.lists.clear();
  expect_error(Errc::bad_data, "relevance lists", [&] { check(data, Supervision::lists); });
}

}  // namespace
}  // namespace structhash
