#include "structhash/data/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "data/files.hpp"

namespace structhash {
namespace {

using test::expect_error;

TEST(Split, PartitionsRowsAndTrainsInsideTheDatabase) {
  const Split parts = split(100, 20, 30, Seed{5});
  EXPECT_EQ(parts.queries.size(), 20U);
  EXPECT_EQ(parts.database.size(), 80U);
  EXPECT_EQ(parts.train.size(), 30U);
  std::set<Index> all(parts.queries.begin(), parts.queries.end());
  EXPECT_EQ(all.size(), 20U);
  EXPECT_TRUE(std::is_sorted(parts.database.begin(), parts.database.end()));
  all.insert(parts.database.begin(), parts.database.end());
  EXPECT_EQ(all.size(), 100U);
  EXPECT_EQ(*all.begin(), 0);
  EXPECT_EQ(*all.rbegin(), 99);
  EXPECT_EQ(std::set<Index>(parts.train.begin(), parts.train.end()).size(), 30U);
  for (const Index row : parts.train) {
    EXPECT_TRUE(std::binary_search(parts.database.begin(), parts.database.end(), row));
  }
}

TEST(Split, TrainingRowsMayBeLeftOutOfTheDatabase) {
  const Split parts = split(100, 20, 30, Seed{5}, /*leave_out_training=*/true);
  EXPECT_EQ(parts.train, split(100, 20, 30, Seed{5}).train);
  EXPECT_EQ(parts.database.size(), 50U);
  EXPECT_TRUE(std::is_sorted(parts.database.begin(), parts.database.end()));
  std::set<Index> all(parts.database.begin(), parts.database.end());
  all.insert(parts.train.begin(), parts.train.end());
  all.insert(parts.queries.begin(), parts.queries.end());
  EXPECT_EQ(all.size(), 100U);
  expect_error(Errc::usage, {"without the training rows the database is empty"},
               [] { split(10, 3, 7, Seed{1}, true); });
}

TEST(Split, DependsOnTheSeedAlone) {
  EXPECT_EQ(split(50, 10, 20, Seed{1}).queries, split(50, 10, 20, Seed{1}).queries);
  EXPECT_EQ(split(50, 10, 20, Seed{1}).train, split(50, 10, 20, Seed{1}).train);
  EXPECT_NE(split(50, 10, 20, Seed{1}).queries, split(50, 10, 20, Seed{2}).queries);
  EXPECT_EQ(split(50, 10, 20, Seed{1}).queries, split(50, 10, 40, Seed{1}).queries);
}

TEST(Split, EveryRowIsAQueryEquallyOften) {
  std::vector<int> hits(10);
  for (std::uint64_t seed = 0; seed < 4'000; ++seed) {
    for (const Index row : split(10, 3, 0, Seed{seed}).queries) {
      ++hits[static_cast<std::size_t>(row)];
    }
  }
  for (const int count : hits) {
    EXPECT_NEAR(count, 1'200, 150);  // sd 29
  }
}

TEST(Split, RefusesTooFewRows) {
  EXPECT_NO_THROW(split(10, 9, 1, Seed{1}));
  EXPECT_NO_THROW(split(1, 0, 1, Seed{1}));
  expect_error(Errc::usage, {"10 queries of 10 rows", "at most 9"},
               [] { split(10, 10, 0, Seed{}); });
  expect_error(Errc::usage, {"8 training rows", "at most 7"}, [] { split(10, 3, 8, Seed{}); });
  EXPECT_THROW(split(0, 0, 0, Seed{}), Error);
  EXPECT_THROW(split(10, -1, 0, Seed{}), Error);
  EXPECT_THROW(split(10, 1, -1, Seed{}), Error);
}

}  // namespace
}  // namespace structhash
