#include <cmath>

#include "support.hpp"

namespace structhash {
namespace {

std::string refused(RelevanceList list) {
  return message_of(Errc::bad_data, [&] {
    lists_from_explicit({{.query = 0, .relevant = {1}, .irrelevant = {2}}, std::move(list)}, 5);
  });
}

TEST(ListsFromExplicit, KeepsWhatIsSoundAndCountsTheRest) {
  const BuiltLists built =
      lists_from_explicit({{.query = 4, .relevant = {3, 1}, .irrelevant = {2, 0}, .weight = 0.25},
                           {.query = 1, .relevant = {}, .irrelevant = {2}},
                           {.query = 2, .relevant = {1}, .irrelevant = {}}},
                          5);
  ASSERT_EQ(built.lists.size(), 1U);
  EXPECT_EQ(built.lists[0].relevant, (std::vector<Index>{1, 3}));
  EXPECT_EQ(built.lists[0].irrelevant, (std::vector<Index>{0, 2}));
  EXPECT_EQ(built.lists[0].weight, 0.25);
  EXPECT_EQ(built.queries, 3);
  EXPECT_EQ(built.without_relevant, 1);
  EXPECT_EQ(built.without_irrelevant, 1);
}

TEST(ListsFromExplicit, ErrorsNameTheListAndTheRow) {
  expect_contains(refused({.query = 5, .relevant = {1}, .irrelevant = {2}}),
                  "relevance list 2: row 6 does not exist; rows go from 1 to 5");
  expect_contains(refused({.query = 0, .relevant = {-1}, .irrelevant = {2}}), "row 0 does not");
  expect_contains(refused({.query = 0, .relevant = {1}, .irrelevant = {9}}), "row 10 does not");
  expect_contains(refused({.query = 0, .relevant = {1, 1}, .irrelevant = {2}}),
                  "item 2 occurs twice");
  expect_contains(refused({.query = 0, .relevant = {1}, .irrelevant = {1}}), "item 2 occurs twice");
  expect_contains(refused({.query = 1, .relevant = {1}, .irrelevant = {2}}),
                  "the query itself (row 2) is among its items");
  for (const double weight : {0.0, -1.0, double{NAN}, double{INFINITY}}) {
    expect_contains(refused({.query = 0, .relevant = {1}, .irrelevant = {2}, .weight = weight}),
                    "a weight must be finite and above 0");
  }
  message_of(Errc::bad_data, [] { lists_from_explicit({}, 5); });
}

}  // namespace
}  // namespace structhash
