#include "learner/class_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "learner/structhash.hpp"
#include "learner/tiny_clusters.hpp"
#include "support/expect_error.hpp"

namespace structhash {
namespace {

/// 8 rows of class 5, 2 of class -1, two shards of 4 + 1 rows each.
const Labels kLabels{.classes = {5, 5, 5, 5, -1, 5, 5, 5, 5, -1}, .multi = {}};

std::vector<RelevanceList> a_list_per_row() {
  std::vector<RelevanceList> lists;
  for (Index row = 0; row < kLabels.size(); ++row) {
    lists.push_back({.query = row, .relevant = {0}, .irrelevant = {4}, .weight = 3.0});
  }
  return lists;
}

std::map<int, double> weight_of_classes(const Shards& shards, ClassWeight kind) {
  std::map<int, double> sums;
  for (const RelevanceList& list : weighted_by_class(a_list_per_row(), kLabels, shards, kind)) {
    sums[kLabels.classes[static_cast<std::size_t>(list.query)]] += list.weight;
  }
  return sums;
}

TEST(ClassWeights, BalancedClassesWeighTheSame) {
  auto sums = weight_of_classes(Shards(10), ClassWeight::balanced);
  EXPECT_DOUBLE_EQ(sums[5], 3.0);
  EXPECT_DOUBLE_EQ(sums[-1], 3.0);
  sums = weight_of_classes(Shards(10), ClassWeight::root);
  EXPECT_DOUBLE_EQ(sums[5], 3.0 * std::sqrt(8.0));
  EXPECT_DOUBLE_EQ(sums[-1], 3.0 * std::sqrt(2.0));
  sums = weight_of_classes(Shards({5, 5}, nullptr), ClassWeight::balanced);
  EXPECT_DOUBLE_EQ(sums[5], 6.0) << "every shard counts its own rows";
  EXPECT_DOUBLE_EQ(sums[-1], 6.0);
}

/// Equal classes: all queries have the same weight again.  A rare class: another model.
TEST(ClassWeights, ChangeTheTrainingOfUnequalClassesAlone) {
  const auto fit = [](const TrainingSet& data, const char* weight) {
    HashModel model =
        make_structhash({.bits = 6, .measure = "map", .extra = {{"class-weight", weight}}})
            ->fit(data, {.seed = Seed{1}, .threads = 2});
    model.parameters.clear();
    return model;
  };
  TrainingSet data = clusters();
  EXPECT_EQ(fit(data, "balanced"), fit(data, "none"));
  std::erase_if(data.lists, [&](const RelevanceList& list) {
    return data.labels.classes[static_cast<std::size_t>(list.query)] == 0 && list.query > 20;
  });
  for (std::size_t row = 21; row < data.labels.classes.size(); ++row) {
    data.labels.classes[row] = data.labels.classes[row] == 0 ? 1 : data.labels.classes[row];
  }
  const HashModel none = fit(data, "none");
  EXPECT_NE(fit(data, "balanced"), none);
  EXPECT_NE(fit(data, "root"), none);
}

TEST(ClassWeights, NeedOneClassPerRow) {
  TrainingSet data = clusters();
  data.labels.classes.clear();
  const auto hasher = make_structhash({.bits = 4, .extra = {{"class-weight", "balanced"}}});
  test::expect_error(Errc::bad_data, "class-weight needs labels with one class per row",
                     [&] { hasher->fit(data, {}); });
  test::expect_error(Errc::usage, "class-weight must be none, root or balanced, got equal",
                     [] { make_structhash({.bits = 4, .extra = {{"class-weight", "equal"}}}); });
}

}  // namespace
}  // namespace structhash
