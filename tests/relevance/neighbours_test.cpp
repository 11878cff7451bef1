#include <cmath>
#include <numeric>

#include "relevance/metric_neighbours.hpp"
#include "support.hpp"

namespace structhash {
namespace {

Matrix<float> random_features(Index rows, Index cols, std::uint64_t seed, float offset) {
  Rng rng(Seed{seed});
  return Matrix<float>::NullaryExpr(rows, cols,
                                    [&] { return offset + static_cast<float>(rng.normal()); });
}

/// Ascending rows of the nearest items, by sorting all exact distances.
std::vector<Index> slow_nearest(const Matrix<float>& items, const Matrix<float>& queries,
                                Index query, Index self, Index count) {
  std::vector<std::pair<double, Index>> order;
  for (Index item = 0; item < items.rows(); ++item) {
    if (item != self) {
      order.emplace_back(
          (items.row(item).cast<double>() - queries.row(query).cast<double>()).squaredNorm(), item);
    }
  }
  std::ranges::sort(order);
  std::vector<Index> nearest;
  for (Index i = 0; i < count; ++i) {
    nearest.push_back(order[static_cast<std::size_t>(i)].second);
  }
  std::ranges::sort(nearest);
  return nearest;
}

/// Far from the origin single-precision products lose most digits: the choice must still be exact.
TEST(VisitNearest, IsExactNearAndFarFromTheOrigin) {
  for (const float offset : {0.0F, 100.0F, 5'000.0F}) {
    const Matrix<float> x = random_features(600, 20, 1, offset);
    std::vector<Index> self(600);
    std::iota(self.begin(), self.end(), 0);
    for (const int threads : {1, 3}) {
      std::vector<std::vector<Index>> found(600);
      visit_nearest(x, x, self, 12, threads, [&](Index query, std::span<const Index> nearest) {
        found[static_cast<std::size_t>(query)].assign(nearest.begin(), nearest.end());
      });
      for (Index query = 0; query < 600; ++query) {
        ASSERT_EQ(found[static_cast<std::size_t>(query)], slow_nearest(x, x, query, query, 12))
            << "offset " << offset << ", query " << query;
      }
    }
  }
}

TEST(VisitNearest, EqualDistancesGoToTheSmallerRow) {
  const Matrix<float> items = Matrix<float>::Ones(50, 3);
  const Matrix<float> query = Matrix<float>::Zero(1, 3);
  visit_nearest(items, query, {}, 4, 1, [](Index, std::span<const Index> nearest) {
    EXPECT_EQ(std::vector<Index>(nearest.begin(), nearest.end()), (std::vector<Index>{0, 1, 2, 3}));
  });
}

TEST(VisitNearest, RefusesWhatCannotWork) {
  Matrix<float> x = random_features(10, 3, 1, 0.0F);
  const auto nothing = [](Index, std::span<const Index>) {};
  EXPECT_THROW(visit_nearest(x, x.leftCols(2), {}, 1, 1, nothing), Error);
  EXPECT_THROW(visit_nearest(x, x, {}, 0, 1, nothing), Error);
  EXPECT_THROW(visit_nearest(x, x, {}, 11, 1, nothing), Error);
  const std::vector<Index> self{0};
  EXPECT_THROW(visit_nearest(x, x, self, 1, 1, nothing), Error);
  x(4, 1) = NAN;
  const auto message =
      message_of(Errc::bad_data, [&] { visit_nearest(x, x.topRows(1), {}, 1, 1, nothing); });
  expect_contains(message, "item 5");
  x(4, 1) = 1e25F;  // its square does not fit a float
  EXPECT_THROW(visit_nearest(x, x.topRows(1), {}, 1, 1, nothing), Error);
}

TEST(NeighbourCount, RoundsAndKeepsOne) {
  EXPECT_EQ(neighbour_count(1'000, 0.02), 20);
  EXPECT_EQ(neighbour_count(999, 0.02), 20);
  EXPECT_EQ(neighbour_count(10, 0.02), 1);
  EXPECT_THROW(neighbour_count(10, 0.0), Error);
  EXPECT_THROW(neighbour_count(10, 1.0), Error);
  EXPECT_THROW(neighbour_count(10, NAN), Error);
}

TEST(ListsFromNeighbours, RelevantAreTheNearestOfTheOthers) {
  const Matrix<float> x = random_features(400, 5, 2, 0.0F);
  const ListOptions options{.relevant = 6, .irrelevant = 20, .queries = {5, 399, 17}};
  const BuiltLists built = lists_from_neighbours(x, 0.02, options, Seed{1}, 2);
  ASSERT_EQ(built.lists.size(), 3U);
  for (const RelevanceList& list : built.lists) {
    expect_sound(list, options);
    const auto nearest = slow_nearest(x, x, list.query, list.query, 8);  // 2 percent of 399
    EXPECT_EQ(list.relevant.size(), 6U);
    EXPECT_TRUE(std::ranges::includes(nearest, list.relevant));
    for (Index row = 0; row < x.rows(); ++row) {
      const bool within = squared_distance(x, row, x, list.query) <=
                          built.reach[static_cast<std::size_t>(list.query)];
      EXPECT_EQ(within && row != list.query, std::ranges::binary_search(nearest, row));
    }
    for (const Index item : list.irrelevant) {
      EXPECT_FALSE(std::ranges::binary_search(nearest, item));
    }
  }
  const BuiltLists all =
      lists_from_neighbours(x, 0.02, {.relevant = 6, .irrelevant = 20}, Seed{1}, 1);
  EXPECT_EQ(all.lists[17].irrelevant, built.lists[2].irrelevant);
}

TEST(ListsFromNeighbours, RefusesWhatCannotWork) {
  const Matrix<float> x = random_features(3, 2, 1, 0.0F);
  EXPECT_THROW(lists_from_neighbours(x.topRows(1), 0.02, {}, Seed{1}, 1), Error);
  EXPECT_THROW(lists_from_neighbours(x, 2.0, {}, Seed{1}, 1), Error);
  // All others are relevant: nothing is left to rank them before.
  message_of(Errc::bad_data, [&] { lists_from_neighbours(x, 0.99, {}, Seed{1}, 1); });
}

}  // namespace
}  // namespace structhash
