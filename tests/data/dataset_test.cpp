#include "structhash/data/dataset.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "data/files.hpp"

namespace structhash {
namespace {

using test::expect_error;

Labels multi(std::initializer_list<std::initializer_list<std::uint8_t>> rows) {
  return {{}, Matrix<std::uint8_t>(rows)};
}

TEST(Labels, RelatedMeansSameClassOrSharedLabel) {
  const Labels classes{{3, -1, 3}, {}};
  EXPECT_TRUE(classes.related(0, 2));
  EXPECT_FALSE(classes.related(0, 1));
  const Labels flags = multi({{1, 0, 1}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}});
  EXPECT_TRUE(flags.related(0, 2));
  EXPECT_FALSE(flags.related(0, 1));
  EXPECT_FALSE(flags.related(3, 3));  // no label: related to nothing, not even itself
  EXPECT_TRUE(Labels::related(classes, 0, Labels{{9, 3}, {}}, 1));
  EXPECT_TRUE(Labels::related(flags, 1, multi({{0, 1, 1}}), 0));
}

TEST(Labels, SelectKeepsOrderAndRepeats) {
  const std::vector<Index> rows{2, 0, 2};
  EXPECT_EQ((Labels{{7, 8, 9}, {}}.select(rows).classes), (std::vector<int>{9, 7, 9}));
  const Labels flags = multi({{1, 0}, {0, 1}, {1, 1}}).select(rows);
  EXPECT_EQ(flags.multi, (Matrix<std::uint8_t>{{1, 1}, {1, 0}, {1, 1}}));
  EXPECT_THROW((Labels{{7}, {}}.select(std::vector<Index>{1})), Error);
}

TEST(Labels, RowsBelowOthersKeepTheirClasses) {
  EXPECT_EQ(vstack({{5, 2}, {}}, {{2, 7, 5}, {}}).classes, (std::vector{5, 2, 2, 7, 5}));
  const Labels text = vstack({{1, 0}, {}, {"b", "d"}}, {{0, 1, 2}, {}, {"a", "b", "c"}});
  EXPECT_EQ(text.names, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(text.classes, (std::vector{3, 1, 0, 1, 2}));
  const Labels both = vstack(multi({{1, 0}}), multi({{0, 1}, {1, 1}}));
  EXPECT_EQ(both.multi, multi({{1, 0}, {0, 1}, {1, 1}}).multi);
  for (const auto& [upper, lower] :
       std::vector<std::pair<Labels, Labels>>{{{{1}, {}}, multi({{1, 0}})},
                                              {multi({{1, 0}}), multi({{1}})},
                                              {{{0}, {}, {"a"}}, {{0}, {}}}}) {
    expect_error(Errc::bad_data, {"of the same kind"}, [&] { vstack(upper, lower); });
  }
}

TEST(Dataset, SelectTakesFeaturesAndLabels) {
  const Dataset data{"d", Matrix<float>{{1, 2}, {3, 4}, {5, 6}}, {{0, 1, 2}, {}}};
  const Dataset chosen = data.select(std::vector<Index>{2, 1});
  EXPECT_EQ(chosen.features, (Matrix<float>{{5, 6}, {3, 4}}));
  EXPECT_EQ(chosen.labels.classes, (std::vector<int>{2, 1}));
  EXPECT_EQ(chosen.name, "d");
  expect_error(Errc::usage, {"row 4", "3 rows"}, [&] { data.select(std::vector<Index>{3}); });
  expect_error(Errc::usage, {"row 0"}, [&] { data.select(std::vector<Index>{-1}); });
}

TEST(Dataset, CheckNamesWhatIsWrong) {
  const Matrix<float> x{{1, 2}, {3, 4}};
  EXPECT_NO_THROW(check({"d", x, {}}));
  EXPECT_NO_THROW(check({"d", x, {{1, 2}, {}}}));
  expect_error(Errc::bad_data, {"'d'", "empty"}, [] { check({"d", Matrix<float>(0, 3), {}}); });
  expect_error(Errc::bad_data, {"empty"}, [] { check({"d", Matrix<float>(3, 0), {}}); });
  expect_error(Errc::bad_data, {"2 rows", "3 labels"}, [&] { check({"d", x, {{1, 2, 3}, {}}}); });
  expect_error(Errc::bad_data, {"row 2, column 1", "found 2"},
               [&] { check({"d", x, multi({{1, 0}, {2, 0}})}); });
  expect_error(Errc::bad_data, {"both"},
               [&] { check({"d", x, {{1, 2}, Matrix<std::uint8_t>::Zero(2, 2)}}); });
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    Matrix<float> broken = x;
    broken(1, 0) = bad;
    expect_error(Errc::bad_data, {"row 2, column 1"}, [&] { check({"d", broken, {}}); });
  }
  Matrix<float> extreme{
      {std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()}};
  EXPECT_NO_THROW(check({"d", extreme, {}}));
}

}  // namespace
}  // namespace structhash
