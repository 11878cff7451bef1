// Labels and ids as they are: text in csv, npy and libsvm files, and columns with a meaning.
#include <gtest/gtest.h>

#include "data/files.hpp"
#include "structhash/evaluation/ground_truth.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::labels_of;
using test::little;
using test::load;
using test::matrix;
using test::npy;
using test::TempFolder;
using Names = std::vector<std::string>;

constexpr const char* kFlowers =
    "name,width,height,species\n"
    "a1,1,2,setosa\n"
    "a2,3,4,virginica\n"
    "a3,5,6,setosa\n";

TEST(Columns, LabelIdAndDroppedByNameAndNumber) {
  const TempFolder folder;
  const std::vector files{folder.write("x.csv", kFlowers)};
  for (const TableOptions& options :
       {TableOptions{.label_column = "species", .id_column = "name"},
        TableOptions{.header = Header::yes, .label_column = "4", .id_column = "1"}}) {
    EXPECT_EQ(load_features(files, options), matrix({{1, 2}, {3, 4}, {5, 6}}));
    const Labels labels = load_labels_of_features(files, options);
    EXPECT_EQ(labels.names, (Names{"setosa", "virginica"}));
    EXPECT_EQ(labels.classes, (std::vector<int>{0, 1, 0}));
    EXPECT_EQ(labels.class_text(1), "virginica");
    EXPECT_EQ(labels.select(std::vector<Index>{1}).class_text(0), "virginica");
    EXPECT_EQ(load_ids(files, options), (Names{"a1", "a2", "a3"}));
  }
  const TableOptions dropped{.label_column = "species", .dropped_columns = {"name", "height"}};
  EXPECT_EQ(load_features(files, dropped), matrix({{1}, {3}, {5}}));
  EXPECT_TRUE(load_ids(files, dropped).empty());
}

TEST(Columns, WithoutAHeader) {
  const TempFolder folder;
  const std::vector files{folder.write("x.csv", "a1,1,2\na2,3,4\n")};
  const TableOptions options{.id_column = "1"};
  EXPECT_EQ(load_features(files, options), matrix({{1, 2}, {3, 4}}));
  EXPECT_EQ(load_ids(files, options), (Names{"a1", "a2"}));
  expect_error(Errc::usage, {"x.csv", "no column 'name'", "1 to 3"},
               [&] { load_features(files, {.id_column = "name"}); });
}

TEST(Columns, HeaderIsGivenOrDetected) {
  const TempFolder folder;
  const std::vector numbers{folder.write("n.csv", "0,1,2\n5,6,7\n")};
  expect_error(Errc::bad_data, {"counts the columns", "--header yes", "--header no"},
               [&] { load_features(numbers); });
  EXPECT_EQ(load_features(numbers, {.header = Header::yes}), matrix({{5, 6, 7}}));
  EXPECT_EQ(load_features(numbers, {.header = Header::no}), matrix({{0, 1, 2}, {5, 6, 7}}));
  // A class occurs again, a header does not.
  EXPECT_EQ(labels_of(folder.write("y.csv", "cat\ndog\ncat\n")).size(), 3);
  EXPECT_EQ(labels_of(folder.write("y.csv", "animal\ndog\ncat\n")).size(), 2);
  EXPECT_EQ(labels_of(folder.write("y.csv", "label\n7\n7\n")).classes, (std::vector<int>{7, 7}));
  const std::vector once{folder.write("y.csv", "cat\ndog\n")};
  EXPECT_EQ(load_labels(once, {.header = Header::no}).names, (Names{"cat", "dog"}));
  // The row numbers of pandas have no name.
  const std::vector pandas{folder.write("p.csv", ",a,b\n0,1,2\n1,3,4\n")};
  expect_error(Errc::bad_data, {"no name", "--drop-columns"}, [&] { load_features(pandas); });
  EXPECT_EQ(load_features(pandas, {.header = Header::yes, .dropped_columns = {"1"}}),
            matrix({{1, 2}, {3, 4}}));
}

TEST(Columns, DescriptionSaysWhatWasTaken) {
  const TempFolder folder;
  const std::string file = folder.write("x.csv", kFlowers);
  const auto lines =
      describe_columns(std::vector{file}, {.label_column = "species", .id_column = "1"});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0], file +
                          ": 3 rows, a header line, 4 columns: 2 features, label in column 4 "
                          "('species'), id in column 1 ('name')");
  EXPECT_TRUE(describe_columns(std::vector{folder.path("absent.npy")}, {}).empty());
}

TEST(Columns, ErrorsSayWhichOptionHelps) {
  const TempFolder folder;
  const std::vector files{folder.write("x.csv", kFlowers)};
  const auto open = [&](const TableOptions& options) {
    return [&files, options] { load_features(files, options); };
  };
  expect_error(Errc::bad_data, {"row 1 (line 2), column 1", "'a1'", "--id-column"}, open({}));
  expect_error(Errc::usage, {"no column 'specie'", "did you mean 'species'?", "1 to 4"},
               open({.label_column = "specie"}));
  expect_error(Errc::usage, {"column 1 ('name') is named twice"},
               open({.id_column = "name", .dropped_columns = {"1"}}));
  const std::vector array{folder.write("x.npy", npy("<f4", false, "(1, 1)", little<float>({1})))};
  expect_error(Errc::usage, {"x.npy", "csv"}, [&] { load_features(array, {.label_column = "1"}); });
}

TEST(Columns, QuotedText) {
  const TempFolder folder;
  const std::vector files{
      folder.write("x.csv", "\"name\",value\n\"Smith, \"\"Jo\"\"\",1\n\"b\" ,2\n")};
  const TableOptions options{.id_column = "name"};
  EXPECT_EQ(load_ids(files, options), (Names{"Smith, \"Jo\"", "b"}));
  EXPECT_EQ(load_features(files, options), matrix({{1}, {2}}));
  for (const char* text : {"name,value\n\"a,1\n", "name,value\n\"a\"b,1\n", "\"a\n"}) {
    const std::vector bad{folder.write("x.csv", text)};
    expect_error(Errc::bad_data, {"quote"}, [&] { load_features(bad, options); });
  }
}

TEST(TextLabels, NumbersStayNumbersAndOneWordMakesAllNames) {
  const TempFolder folder;
  const Labels numbers = labels_of(folder.write("y.csv", "7\n-1\n7.0\n"));
  EXPECT_EQ(numbers.classes, (std::vector<int>{7, -1, 7}));
  EXPECT_TRUE(numbers.names.empty());
  const Labels mixed = labels_of(folder.write("y.csv", "7\nx\n7\n"));
  EXPECT_EQ(mixed.names, (Names{"7", "x"}));
  EXPECT_EQ(mixed.classes, (std::vector<int>{0, 1, 0}));
  expect_error(Errc::bad_data, {"row 2, column 1", "label 2.5"},
               [&] { labels_of(folder.write("y.csv", "1\n2.5\n")); });
  expect_error(Errc::bad_data, {"row 3", "empty"},
               [&] { labels_of(folder.write("y.csv", "a\na\n\"\"\n")); });
}

TEST(TextLabels, Libsvm) {
  const TempFolder folder;
  const Labels labels = labels_of(folder.write("x.libsvm", "spam 1:1\nham 2:1\nspam 1:2\n"));
  EXPECT_EQ(labels.names, (Names{"ham", "spam"}));
  EXPECT_EQ(labels.classes, (std::vector<int>{1, 0, 1}));
  for (const char* text : {"1:1 2:1\n", "1,3 1:1\n"}) {
    expect_error(Errc::bad_data, {"row 1", "in place of the label"},
                 [&] { labels_of(folder.write("x.libsvm", text)); });
  }
}

TEST(TextLabels, NpyOfUnicodeAndOfBytes) {
  const TempFolder folder;
  const std::string utf32 = little<std::uint32_t>({0xe9, 't', 0x1f600, 'a', 0, 0});
  EXPECT_EQ(labels_of(folder.write("y.npy", npy("<U3", false, "(2,)", utf32))).names,
            (Names{"a", "\xc3\xa9t\xf0\x9f\x98\x80"}));
  EXPECT_EQ(
      labels_of(folder.write("y.npy", npy(">U1", false, "(1,)", test::big<std::uint32_t>({'z'}))))
          .names,
      Names{"z"});
  const std::string bytes("ab\0b\0\0", 6);
  EXPECT_EQ(labels_of(folder.write("y.npy", npy("|S3", false, "(2, 1)", bytes))).names,
            (Names{"ab", "b"}));
  expect_error(Errc::corrupt_file, {"cut short"},
               [&] { labels_of(folder.write("y.npy", npy("|S3", false, "(2,)", "abc"))); });
  expect_error(Errc::bad_data, {"row 1", "110000"}, [&] {
    labels_of(folder.write("y.npy", npy("<U1", false, "(1,)", little<std::uint32_t>({0x110000}))));
  });
  expect_error(Errc::bad_data, {"2 columns of text"},
               [&] { labels_of(folder.write("y.npy", npy("|S1", false, "(1, 2)", "ab"))); });
  expect_error(Errc::bad_data, {"list of 2 values"},
               [&] { load(folder.write("y.npy", npy("|S3", false, "(2,)", bytes))); });
  expect_error(Errc::corrupt_file, {"astype(str)"},
               [&] { load(folder.write("y.npy", npy("|O", false, "(1,)", "x"))); });
}

TEST(TextLabels, QueriesAndDatabaseAreMatchedByName) {
  const Labels queries{.classes = {0, 1}, .multi = {}, .names = {"ant", "dog"}};
  const Labels database{.classes = {0, 1, 1}, .multi = {}, .names = {"cat", "dog"}};
  const GroundTruth truth = GroundTruth::from_labels(queries, database);
  std::vector<std::uint8_t> grades(3);
  truth.grades(0, grades);
  EXPECT_EQ(grades, (std::vector<std::uint8_t>{0, 0, 0}));
  truth.grades(1, grades);
  EXPECT_EQ(grades, (std::vector<std::uint8_t>{0, 1, 1}));
  const Labels numbers{.classes = {0}, .multi = {}};
  expect_error(Errc::bad_data, {"database are text", "queries numbers"},
               [&] { GroundTruth::from_labels(numbers, database); });
}

}  // namespace
}  // namespace structhash
