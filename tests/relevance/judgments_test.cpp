#include "structhash/relevance/judgments.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support.hpp"
#include "support/places.hpp"

namespace structhash {
namespace {

class Qrels : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) const {
    std::ofstream(file_, std::ios::binary) << text;
    return file_;
  }
  Judgments read(const std::string& text) const {
    return read_qrels(write(text), RowIds::numbers(3), RowIds::numbers(10));
  }
  std::string refused(const std::string& text) const {
    return message_of(Errc::bad_data, [&] { read(text); });
  }
  void TearDown() override { std::filesystem::remove(file_); }

  std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) /
                                ("qrels_" + std::to_string(::getpid()) + "_" +
                                 testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(Qrels, SpacesTabsBlankLinesAndLineEndsOfAnyKind) {
  const Judgments judgments = read(
      "\xEF\xBB\xBF"
      "1 0 10 2\r\n\n2\t0\t3\t-1\n  1   Q0  4 0  \r\n   \n3 0 1 1");
  EXPECT_EQ(judgments.items, 10);
  ASSERT_EQ(judgments.queries.size(), 3U);
  EXPECT_EQ(judgments.queries[0], (std::vector<Judgment>{{3, 0}, {9, 2}}));
  EXPECT_EQ(judgments.queries[1], (std::vector<Judgment>{{2, -1}}));
  EXPECT_EQ(judgments.queries[2], (std::vector<Judgment>{{0, 1}}));
}

TEST_F(Qrels, ListedIds) {
  const auto judgments =
      read_qrels(write("q2 0 doc-b 1\nq1 0 doc-a 3\n"), RowIds::listed({"q1", "q2"}),
                 RowIds::listed({"doc-a", "doc-b"}));
  EXPECT_EQ(judgments.queries[0], (std::vector<Judgment>{{0, 3}}));
  EXPECT_EQ(judgments.queries[1], (std::vector<Judgment>{{1, 1}}));
}

TEST_F(Qrels, ErrorsNameFileLineAndRemedy) {
  expect_contains(refused("1 0 1 1\n1 0 2\n"),
                  file_.string() + ", line 2: found 3 fields, expected 4: query 0 item grade");
  expect_contains(refused("1 0 1 1 extra\n"), "line 1: found 5 fields");
  expect_contains(refused("1 0 11 1\n"),
                  "line 1: item \"11\" is unknown; expected a number from 1 to 10");
  expect_contains(refused("0 0 1 1\n"), "query \"0\" is unknown; expected a number from 1 to 3");
  expect_contains(refused("1 0 x\x01y 1\n"), "item \"x?y\" is unknown");
  expect_contains(refused("1 0 1 high\n"), "grade \"high\" is not a whole number");
  expect_contains(refused("1 0 1 1.5\n"), "grade \"1.5\" is not a whole number");
  expect_contains(refused("1 0 1 99999999999\n"), "is not a whole number");
  expect_contains(refused("1 0 1 31\n"), "grade 31 is above 30");
  expect_contains(refused("1 0 1 1\n2 0 1 1\n1 0 1 2\n"),
                  "line 3: this item was already judged for this query in line 1");
  expect_contains(refused(""), "holds no judgments");
  expect_contains(refused(" \n\n"), "holds no judgments");
  expect_contains(refused(std::string(100'000, 'a') + " 0 1 1\n"), "aaaa...\" is unknown");
}

TEST_F(Qrels, FilesThatCannotBeRead) {
  const auto numbers = RowIds::numbers(1);
  message_of(Errc::io, [&] { read_qrels("/nowhere/qrels", numbers, numbers); });
  message_of(Errc::io, [&] { read_qrels(testing::TempDir(), numbers, numbers); });
  message_of(Errc::io, [&] { read_ids("/nowhere/ids"); });
}

TEST_F(Qrels, IdFiles) {
  EXPECT_EQ(read_ids(write("a\r\nb-2\n\n c \n")), (std::vector<std::string>{"a", "b-2", "c"}));
  const auto message = message_of(Errc::bad_data, [&] { read_ids(write("a\nb c\n")); });
  expect_contains(message, "line 2: found 2 words, expected one id per line");
}

TEST(RowIds, NumbersAndNames) {
  const RowIds numbers = RowIds::numbers(3);
  EXPECT_EQ(numbers.row("1"), 0);
  EXPECT_EQ(numbers.row("3"), 2);
  for (const char* bad : {"0", "4", "-1", "", "1x", " 1", "99999999999999999999"}) {
    EXPECT_EQ(numbers.row(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(numbers.id(2), "3");
  EXPECT_THROW(numbers.id(3), Error);
  const RowIds names = RowIds::listed({"x", "y"});
  EXPECT_EQ(names.row("y"), 1);
  EXPECT_EQ(names.row("1"), std::nullopt);
  EXPECT_EQ(names.id(0), "x");
  const auto twice = message_of(Errc::bad_data, [] { RowIds::listed({"x", "y", "x"}); });
  expect_contains(twice, "id \"x\" names row 1 and row 3");
}

TEST(Cranfield, IsReadWhole) {
  const std::filesystem::path file = test::in_shared_data("cranfield/qrels.trec");
  if (!std::filesystem::exists(file)) {
    GTEST_SKIP() << "skipped: " << file << " is not here";
  }
  const auto judgments = read_qrels(file, RowIds::numbers(225), RowIds::numbers(1400));
  Index judged = 0;
  for (const auto& query : judgments.queries) {
    judged += std::ssize(query);
  }
  EXPECT_EQ(judged, 1'837);  // its lines, the last one without a line end
  EXPECT_EQ(judgments.queries.size(), 225U);
}

}  // namespace
}  // namespace structhash
