#include <gtest/gtest.h>
#include <unistd.h>

#include "data/files.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::gzip;
using test::labels_of;
using test::load;
using test::matrix;
using test::TempFolder;

TEST(Csv, SeparatorsHeadersAndLineEnds) {
  const TempFolder folder;
  const auto expected = matrix({{1, -2.5F}, {3e2F, 4}});
  for (const char* text :
       {"1,-2.5\n3e2,4\n", "1,-2.5\n3e2,4", "1;-2.5\r\n3e2;4\r\n", "1\t-2.5\n3e2\t4\n",
        "width,height\n1,-2.5\n3e2,4\n", "\xef\xbb\xbf\"width\",\"height\"\n1,-2.5\n3e2,4\n",
        "# made by hand\n\n 1 , -2.5 \n\n+3e2,+4.\n\n", "\"1\",\"-2.5\"\n\"3e2\",\"4\"\n"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(load(folder.write("x.csv", text)), expected);
    EXPECT_EQ(load(folder.write("x.tsv", text)), expected);
  }
  EXPECT_EQ(load(folder.write("x.csv.gz", gzip("a,b\n1,-2.5\n3e2,4\n"))), expected);
  EXPECT_EQ(load(folder.write("x.csv", "5\n6\n")), matrix({{5}, {6}}));
  EXPECT_EQ(load(folder.write("x.csv", "1e-400,1e-50\n")), matrix({{0, 0}}));  // too small is 0
}

TEST(Csv, LinesAcrossReadBlocks) {  // the reader takes 256 KiB at a time
  const TempFolder folder;
  std::string text = "a,b,c\n";
  const Index rows = 60'000;
  for (Index row = 0; row < rows; ++row) {
    text += std::to_string(row) + ",0.5," + std::to_string(-row) + "\n";
  }
  const Matrix<float> x = load(folder.write("x.csv", text));
  ASSERT_EQ(x.rows(), rows);
  for (Index row = 0; row < rows; ++row) {
    ASSERT_EQ(x(row, 0), static_cast<float>(row));
    ASSERT_EQ(x(row, 1), 0.5F);
    ASSERT_EQ(x(row, 2), static_cast<float>(-row));
  }
  // one line longer than a block
  std::string line = "1";
  for (int i = 0; i < 400'000; ++i) {
    line += ",1";
  }
  EXPECT_EQ(load(folder.write("x.csv", line)).sum(), 400'001.0F);
}

TEST(Csv, ErrorsNameRowLineAndColumn) {
  const TempFolder folder;
  const auto open = [&](const std::string& text) {
    return [&folder, text] { load(folder.write("x.csv", text)); };
  };
  expect_error(Errc::bad_data, {"x.csv", "row 2 (line 3)", "column 2", "'cat'"},
               open("a,b\n1,2\n3,cat\n"));
  expect_error(Errc::bad_data, {"row 1 (line 1)", "column 2", "'cat'"}, open("1,cat\n3,4\n"));
  expect_error(Errc::bad_data, {"row 2 (line 2)", "column 1", "empty"}, open("1,2\n,4\n"));
  expect_error(Errc::bad_data, {"row 2 (line 3)", "found 3 columns", "has 2"},
               open("1,2\n\n3,4,5\n"));
  expect_error(Errc::bad_data, {"row 2 (line 2)", "found 1 columns"}, open("1,2\n3\n"));
  expect_error(Errc::bad_data, {"row 2, column 1", "nan"}, open("1,2\nnan,3\n"));
  expect_error(Errc::bad_data, {"row 1, column 1", "nan"}, open("nan,nan\n"));  // no header
  expect_error(Errc::bad_data, {"row 1, column 2", "inf"}, open("1,1e400\n"));
  expect_error(Errc::bad_data, {"row 1, column 2", "inf"}, open("1,1e39\n"));
  expect_error(Errc::bad_data, {"column 1", "'0x10'"}, open("1\n0x10\n"));
  expect_error(Errc::bad_data, {"column 1", "'+-1'"}, open("1\n+-1\n"));
  expect_error(Errc::bad_data, {"no line"}, open(""));
  expect_error(Errc::bad_data, {"no line"}, open("\n \n# nothing\n"));
  expect_error(Errc::bad_data, {"only a header"}, open("a,b\n"));
  expect_error(Errc::corrupt_file, {"longer than", "text file"},
               open(std::string((1U << 26U) + 10, '1')));
}

TEST(Csv, LabelsAreClassesOrFlags) {
  const TempFolder folder;
  EXPECT_EQ(labels_of(folder.write("y.csv", "class\n3\n-1\n2.0\n")).classes,
            (std::vector<int>{3, -1, 2}));
  const Labels flags = labels_of(folder.write("y.csv", "a,b\n1,0\n1,1\n"));
  EXPECT_EQ(flags.multi, (Matrix<std::uint8_t>{{1, 0}, {1, 1}}));
  expect_error(Errc::bad_data, {"y.csv", "row 2, column 1", "0.5"},
               [&] { labels_of(folder.write("y.csv", "1\n0.5\n")); });
  expect_error(Errc::bad_data, {"row 1", "3000000000"},
               [&] { labels_of(folder.write("y.csv", "3000000000\n")); });
  expect_error(Errc::bad_data, {"row 1", "nan"},
               [&] { labels_of(folder.write("y.csv", "nan\n")); });
  expect_error(Errc::bad_data, {"row 2, column 1", "found 2"},
               [&] { labels_of(folder.write("y.csv", "1,0\n2,1\n")); });
}

TEST(Csv, LastColumnAsLabel) {
  const TempFolder folder;
  const auto file = folder.write("isolet5.data", "-0.4394, 0.25, 1.\n0.5, -1, 26.\n");
  const LoadedTable table = load_table(std::vector{file});
  EXPECT_EQ(table.features, matrix({{-0.4394F, 0.25F}, {0.5F, -1}}));
  EXPECT_EQ(table.labels.classes, (std::vector<int>{1, 26}));
  EXPECT_EQ(labels_of(file).classes, (std::vector<int>{1, 26}));
  EXPECT_EQ(load(folder.write("x.csv", "1,2,3\n"), "csv-label"), matrix({{1, 2}}));
  expect_error(Errc::bad_data, {"list of 2 values"},
               [&] { load(folder.write("x.csv", "1\n2\n"), "csv-label"); });
}

TEST(Libsvm, SparseRowsLabelsAndQueries) {
  const TempFolder folder;
  const auto file = folder.write("x.libsvm",
                                 "# LETOR\n"
                                 "2 qid:10 1:0.5 3:1e1 # doc 7\n"
                                 "+1 qid:10\r\n"
                                 "-1.0\tqid:11  2:-4\n");
  const LoadedTable table = load_table(std::vector{file});
  EXPECT_EQ(table.features, matrix({{0.5F, 0, 10}, {0, 0, 0}, {0, -4, 0}}));
  EXPECT_EQ(table.labels.classes, (std::vector<int>{2, 1, -1}));
  EXPECT_EQ(table.query_ids, (std::vector<std::int64_t>{10, 10, 11}));
  EXPECT_EQ(load(folder.write("x.svm", "1 0:5 2:6\n"), "libsvm0"), matrix({{5, 0, 6}}));
  EXPECT_EQ(load(folder.write("x.svmlight.gz", gzip("1 2:6\n"))), matrix({{0, 6}}));
}

/// Text is read twice, first for its size: somebody may write to the file in between.
TEST(TextFiles, ChangesWhileTheyAreReadAreNoticed) {
  const TempFolder folder;
  const auto expect_noticed = [&](const std::string& name, const std::string& before,
                                  const std::string& after, const std::string& words) {
    const std::vector files{folder.write(name, before)};
    const auto reader = open_features(files);
    std::ofstream(files[0], std::ios::binary | std::ios::trunc) << after;
    Matrix<float> block;
    expect_error(Errc::corrupt_file, {name, words}, [&] { reader->read(10, block); });
  };
  expect_noticed("x.csv", "1,2\n3,4\n", "1,2\n", "became shorter while it was read");
  expect_noticed("x.libsvm", "1 1:5\n1 2:6\n", "1 1:5\n", "became shorter while it was read");
  expect_noticed("x.libsvm", "1 1:5\n1 2:6\n", "1 1:5\n1 9:6\n", "changed while it was read");
}

TEST(Libsvm, ATableLargerThanTheMemoryIsRefused) {
  const TempFolder folder;
  const long memory = sysconf(_SC_PHYS_PAGES) / 1024 * (sysconf(_SC_PAGESIZE) / 1024);  // in MiB
  std::string text;
  for (long row = 0; row <= memory / 4 + 1; ++row) {
    text += "1 1048576:1\n";  // a row of 4 MiB
  }
  const std::string file = folder.write("x.libsvm", text);
  expect_error(Errc::bad_data, {"x.libsvm", "rows of 1048576 columns need", "the machine has"},
               [&] { load(file); });
  EXPECT_EQ(load_labels_of_features(std::vector{file}).size(), memory / 4 + 2);  // no features
}

TEST(Libsvm, WidthOfSeveralFilesAndOfTheModel) {
  const TempFolder folder;
  const std::vector<std::string> files{folder.write("a.libsvm", "0 1:1\n"),
                                       folder.write("b.libsvm", "1 3:1\n")};
  EXPECT_EQ(load_features(files), matrix({{1, 0, 0}, {0, 0, 1}}));
  EXPECT_EQ(load_features(files, {}, 4), matrix({{1, 0, 0, 0}, {0, 0, 1, 0}}));
  expect_error(Errc::bad_data, {"b.libsvm", "3 columns", "expected 2"},
               [&] { load_features(files, {}, 2); });
}

TEST(Libsvm, Errors) {
  const TempFolder folder;
  const auto open = [&](const std::string& text) {
    return [&folder, text] { load(folder.write("x.libsvm", text)); };
  };
  expect_error(Errc::bad_data, {"x.libsvm", "row 1", "'1:1'", "label"}, open("1:1 2:1\n"));
  expect_error(Errc::bad_data, {"row 1", "'1,3'", "label"}, open("1,3 1:1\n"));
  expect_error(Errc::bad_data, {"row 2 (line 2)", "column 3", "'x'"}, open("1 1:1\n1 3:x\n"));
  expect_error(Errc::bad_data, {"row 1", "'5'", "column:value"}, open("1 5\n"));
  expect_error(Errc::bad_data, {"row 1", "column 0", "libsvm0"}, open("1 0:5\n"));
  expect_error(Errc::bad_data, {"column -1"}, open("1 -1:5\n"));
  expect_error(Errc::bad_data, {"column 2000000"}, open("1 2000000:5\n"));
  expect_error(Errc::bad_data, {"column 2", "ascend"}, open("1 2:5 2:6\n"));
  expect_error(Errc::bad_data, {"column 1", "ascend"}, open("1 2:5 1:6\n"));
  expect_error(Errc::bad_data, {"row 2", "qid: is missing"}, open("1 qid:1 2:5\n1 2:5\n"));
  expect_error(Errc::bad_data, {"row 2", "rows before have none"}, open("1 2:5\n1 qid:1 2:5\n"));
  expect_error(Errc::bad_data, {"'qid:x'"}, open("1 qid:x 2:5\n"));
  expect_error(Errc::bad_data, {"'qid:3'"}, open("1 1:5 qid:3\n"));
  expect_error(Errc::bad_data, {"no data"}, open(""));
  expect_error(Errc::bad_data, {"no data", "1 rows of 0"}, open("1\n"));
  expect_error(Errc::bad_data, {"row 1, column 2", "nan"}, open("1 2:nan\n"));
  // targets that are no classes hinder labels, not features
  const auto file = folder.write("r.libsvm", "0.5 1:1\n");
  EXPECT_EQ(load(file), matrix({{1}}));
  expect_error(Errc::bad_data, {"row 1", "0.5"}, [&] { labels_of(file); });
  const std::vector<std::string> mixed{folder.write("a.libsvm", "1 qid:1 1:1\n"),
                                       folder.write("b.libsvm", "1 1:1\n")};
  expect_error(Errc::bad_data, {"b.libsvm", "has no qid:"}, [&] { load_table(mixed); });
}

}  // namespace
}  // namespace structhash
