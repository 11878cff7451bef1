#include "learner/list_table.hpp"

#include <gtest/gtest.h>

#include "learner/tiny_lists.hpp"
#include "ranking/training_gains.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

TEST(ListTable, KeepsEveryPairAndGroupsShapes) {
  const auto measure = make_measure("map");
  auto lists = random_lists(100, 3, 4, 1);
  lists[5].relevant.pop_back();  // another shape
  lists[7].weight = 3.0;
  const ListTable table(lists, *measure, 100);
  EXPECT_EQ(table.lists(), 100);
  EXPECT_EQ(table.pairs(), 100 * 7 - 1);
  EXPECT_EQ(table.largest_inversion(), 4);
  Index seen = 0;
  for (const ListChunk& chunk : table.chunks()) {
    EXPECT_EQ(chunk.gains->relevant(), chunk.relevant);
    EXPECT_EQ(chunk.gains->irrelevant(), chunk.irrelevant);
    EXPECT_EQ(chunk.first_list, seen);
    seen += chunk.lists;
    for (Index list = 0; list < chunk.lists; ++list) {
      const auto number = static_cast<std::size_t>(chunk.first_list + list);
      const Index query = table.queries()[number];
      const RelevanceList& original = lists[static_cast<std::size_t>(query)];
      ASSERT_EQ(chunk.relevant, std::ssize(original.relevant));
      for (Index l = 0; l < chunk.items(); ++l) {
        const Index item =
            table.items()[static_cast<std::size_t>(chunk.first_pair + list * chunk.items() + l)];
        EXPECT_EQ(item, l < chunk.relevant
                            ? original.relevant[static_cast<std::size_t>(l)]
                            : original.irrelevant[static_cast<std::size_t>(l - chunk.relevant)]);
      }
      // 99 lists of weight 1 and one of weight 3: shares of 102.
      EXPECT_DOUBLE_EQ(table.weights()[number], original.weight / 102.0);
      EXPECT_DOUBLE_EQ(table.inversion_scales()[number],
                       original.weight / 102.0 * 2.0 /
                           (to_double(chunk.relevant) * to_double(chunk.irrelevant)));
    }
  }
  EXPECT_EQ(seen, 100);
}

TEST(ListTable, RefusesBadLists) {
  const auto measure = make_measure("auc");
  const auto good = random_lists(10, 2, 2, 2);
  const auto refuses = [&](auto change) {
    auto lists = good;
    change(lists[3]);
    EXPECT_THROW(ListTable(lists, *measure, 10), Error);
  };
  refuses([](RelevanceList& list) { list.relevant.clear(); });
  refuses([](RelevanceList& list) { list.irrelevant.clear(); });
  refuses([](RelevanceList& list) { list.relevant[0] = 10; });
  refuses([](RelevanceList& list) { list.query = -1; });
  refuses([](RelevanceList& list) { list.weight = 0.0; });
  EXPECT_THROW(ListTable({}, *measure, 10), Error);
}

}  // namespace
}  // namespace structhash
