#include "structhash/data/loaders.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <utility>

#include "data/files.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::labels_of;
using test::little;
using test::load;
using test::matrix;
using test::npy;
using test::TempFolder;

TEST(Loaders, TheNameDecidesUnlessAFormatIsGiven) {
  const TempFolder folder;
  EXPECT_EQ(load(folder.write("X.NPY", npy("<f4", false, "(1, 1)", little<float>({3})))),
            matrix({{3}}));
  EXPECT_EQ(load(folder.write("x.dat", "1,2\n"), "csv"), matrix({{1, 2}}));
  EXPECT_EQ(load(folder.write("x.npy", "1,2\n"), "csv"), matrix({{1, 2}}));
  expect_error(Errc::usage, {"x.dat", "--format", "npy", "libsvm"},
               [&] { load(folder.path("x.dat")); });
  expect_error(Errc::usage, {"x.parquet", "python -m structhash encode"},
               [&] { load(folder.path("x.parquet")); });
  expect_error(Errc::usage, {"'nmpy'", "npy", "h5"}, [&] { load(folder.path("x.dat"), "nmpy"); });
  expect_error(Errc::usage, {"no input file"}, [] { load_features({}); });
  for (const FormatInfo& format : formats()) {
    EXPECT_FALSE(format.summary.empty());
    expect_error(Errc::io, {"absent", "No such file"},
                 [&] { load(folder.path("absent"), format.name); });
  }
}

TEST(Loaders, UnreadableFiles) {
  const TempFolder folder;
  std::filesystem::create_directory(folder.path("dir.npy"));
  expect_error(Errc::io, {"dir.npy", "folder"}, [&] { load(folder.path("dir.npy")); });
  ASSERT_EQ(mkfifo(folder.path("pipe.npy").c_str(), 0600), 0);
  expect_error(Errc::io, {"not a regular file"}, [&] { load(folder.path("pipe.npy")); });
  if (geteuid() != 0) {  // root may read everything
    const auto file = folder.write("secret.npy", "x");
    chmod(file.c_str(), 0);
    expect_error(Errc::io, {"secret.npy", "denied"}, [&] { load(file); });
  }
}

/// Reads the first row, passes over `count`, and reads the next.
std::pair<Index, Matrix<float>> row_after(const std::vector<std::string>& files, Index count) {
  const auto reader = open_features(files);
  Matrix<float> block;
  reader->read(1, block);
  const Index passed = reader->skip(count);
  reader->read(1, block);
  return {passed, block};
}

TEST(Loaders, RowsArePassedOverUnreadWhereTheyCanBe) {
  const TempFolder folder;
  const auto numbers = little<float>({1, 2, 3, std::nanf(""), 5});
  const auto plain = folder.write("a.npy", npy("<f4", false, "(5, 1)", numbers));
  EXPECT_EQ(row_after({plain}, 3), std::pair(Index{3}, matrix({{5}})));
  expect_error(Errc::bad_data, {"row 4", "nan"}, [&] { row_after({plain}, 2); });
  EXPECT_EQ(row_after({plain}, 9).first, 4);  // all that are left
  EXPECT_EQ(row_after({plain, plain}, 5), std::pair(Index{5}, matrix({{2}})));
  const auto text = folder.write("b.csv", "7\n8\n9\n");
  EXPECT_EQ(row_after({text}, 1), std::pair(Index{0}, matrix({{8}})));
  EXPECT_EQ(row_after({plain, text}, 5), std::pair(Index{4}, matrix({{7}})));
  const auto columns =
      folder.write("c.npy", npy("<f4", true, "(2, 2)", little<float>({1, 2, 3, 4})));
  EXPECT_EQ(row_after({columns}, 1), std::pair(Index{0}, matrix({{2, 4}})));
  const auto vecs = folder.write("d.ivecs", little<std::int32_t>({1, 5, 1, 6, 1, 7}));
  EXPECT_EQ(row_after({vecs}, 1), std::pair(Index{1}, matrix({{7}})));
}

TEST(Loaders, SeveralFilesOfSeveralFormatsAreOneTable) {
  const TempFolder folder;
  const std::vector<std::string> files{
      folder.write("a.npy", npy("<f8", true, "(2, 2)", little<double>({1, 3, 2, 4}))),
      folder.write("b.csv", "x,y\n5,6\n"), folder.write("c.libsvm", "1 2:8\n"),
      folder.write("d.u8bin", little<std::uint32_t>({1, 2}) + "\x09\x0a")};
  const auto expected = matrix({{1, 2}, {3, 4}, {5, 6}, {0, 8}, {9, 10}});
  EXPECT_EQ(load_features(files), expected);
  EXPECT_TRUE(load_table(files).labels.empty());  // one file of four holds labels
  EXPECT_TRUE(load_labels_of_features(files).empty());
  for (const Index max_rows : {1, 2, 3, 5, 100}) {  // streaming gives the same rows
    const auto reader = open_features(files);
    EXPECT_EQ(reader->rows(), 5);
    EXPECT_EQ(reader->dimension(), 2);
    Matrix<float> block;
    Index row = 0;
    while (const Index count = reader->read(max_rows, block)) {
      ASSERT_EQ(count, std::min<Index>(max_rows, 5 - row));
      ASSERT_EQ(block, expected.middleRows(row, count));
      row += count;
    }
    EXPECT_EQ(row, 5);
    EXPECT_EQ(reader->read(max_rows, block), 0);
    EXPECT_THROW(reader->read(0, block), Error);
  }
}

TEST(Loaders, FilesMustAgreeOnTheDimension) {
  const TempFolder folder;
  const auto two = folder.write("two.csv", "1,2\n");
  const auto three = folder.write("three.csv", "1,2,3\n");
  const auto sparse = folder.write("sparse.libsvm", "1 3:1\n");
  expect_error(Errc::bad_data, {"three.csv", "3 columns", "expected 2", "two.csv"},
               [&] { load_features(std::vector{two, three}); });
  expect_error(Errc::bad_data, {"two.csv", "2 columns", "expected 3"},
               [&] { load_features(std::vector{three, two}); });
  expect_error(Errc::bad_data, {"sparse.libsvm", "3 columns", "two.csv"},
               [&] { load_features(std::vector{sparse, two}); });
  expect_error(Errc::bad_data, {"two.csv", "2 columns", "expected 5"},
               [&] { load_features(std::vector{two}, {}, 5); });
  EXPECT_THROW(load_features(std::vector{two}, {}, -1), Error);
  EXPECT_THROW(open_features(std::vector{two}, {}, -1), Error);
}

TEST(Loaders, RowsInMessagesCountWithinTheirFile) {
  const TempFolder folder;
  const std::vector<std::string> files{folder.write("a.csv", "1,2\n3,4\n"),
                                       folder.write("b.csv", "5,6\n7,inf\n")};
  expect_error(Errc::bad_data, {"b.csv", "row 2, column 2"}, [&] { load_features(files); });
}

TEST(Loaders, LabelsOfSeveralFiles) {
  const TempFolder folder;
  const auto list = folder.write("y.npy", npy("<i4", false, "(2,)", little<std::int32_t>({4, -4})));
  const auto column = folder.write("z.npy", npy("<i8", false, "(1, 1)", little<std::int64_t>({9})));
  const auto flags =
      folder.write("f.npy", npy("|u1", false, "(2, 3)", little<std::uint8_t>({1, 0, 0, 0, 1, 1})));
  const auto floats = folder.write("g.npy", npy("<f4", true, "(1, 3)", little<float>({0, 1, 0})));
  EXPECT_EQ(load_labels(std::vector{list, column}).classes, (std::vector<int>{4, -4, 9}));
  EXPECT_EQ(load_labels(std::vector{flags, floats}).multi,
            (Matrix<std::uint8_t>{{1, 0, 0}, {0, 1, 1}, {0, 1, 0}}));
  expect_error(Errc::bad_data, {"f.npy", "3 columns of labels", "y.npy"},
               [&] { load_labels(std::vector{list, flags}); });
  const auto large =
      folder.write("l.npy", npy("<i8", false, "(1,)", little<std::int64_t>({1LL << 31U})));
  expect_error(Errc::bad_data, {"l.npy", "row 1", "32-bit integer"}, [&] { labels_of(large); });
  const auto extreme = folder.write(
      "m.npy", npy("<i4", false, "(2,)", little<std::int32_t>({INT32_MIN, INT32_MAX})));
  EXPECT_EQ(labels_of(extreme).classes, (std::vector<int>{INT32_MIN, INT32_MAX}));
}

TEST(Loaders, DatasetTakesLabelsFromWhereTheyAre) {
  const TempFolder folder;
  const std::vector<std::string> x{folder.write("x.libsvm", "1 1:1\n2 1:2\n")};
  const std::vector<std::string> y{folder.write("y.csv", "5\n6\n")};
  EXPECT_EQ(load_dataset(x, {}, "own").labels.classes, (std::vector<int>{1, 2}));
  EXPECT_EQ(load_labels_of_features(x).classes, (std::vector<int>{1, 2}));
  EXPECT_EQ(load_dataset(x, y, "other").labels.classes, (std::vector<int>{5, 6}));
  EXPECT_EQ(load_dataset(x, y, "other").name, "other");
  EXPECT_TRUE(load_dataset(y, {}, "unlabelled").labels.empty());
  const std::vector<std::string> many{y[0], y[0]};
  expect_error(Errc::bad_data, {"y.csv", "4 labels", "2 rows", "x.libsvm"},
               [&] { load_dataset(x, many, "d"); });
  const std::vector<std::string> odd{folder.write("y.txt", "5\n6\n")};
  EXPECT_EQ(load_dataset(x, odd, "d", {}, {.format = "csv"}).labels.classes,
            (std::vector<int>{5, 6}));
}

}  // namespace
}  // namespace structhash
