#include <gtest/gtest.h>

#include <limits>

#include "data/files.hpp"

namespace structhash {
namespace {

using test::big;
using test::expect_error;
using test::gzip;
using test::labels_of;
using test::little;
using test::load;
using test::matrix;
using test::npy;
using test::TempFolder;

const float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(Npy, EveryElementTypeAndByteOrder) {
  const TempFolder folder;
  const auto expected = matrix({{1, 2}, {3, 200}});
  const auto check = [&](const std::string& descr, const std::string& data,
                         const Matrix<float>& values) {
    SCOPED_TRACE(descr);
    EXPECT_EQ(load(folder.write("x.npy", npy(descr, false, "(2, 2)", data))), values);
  };
  check("|u1", little<std::uint8_t>({1, 2, 3, 200}), expected);
  check("|b1", little<std::uint8_t>({1, 0, 0, 1}), matrix({{1, 0}, {0, 1}}));
  check("|i1", little<std::int8_t>({1, -2, 3, -128}), matrix({{1, -2}, {3, -128}}));
  check("<u2", little<std::uint16_t>({1, 2, 3, 60000}), matrix({{1, 2}, {3, 60000}}));
  check(">i2", big<std::int16_t>({1, 2, 3, -200}), matrix({{1, 2}, {3, -200}}));
  check("<i4", little<std::int32_t>({1, 2, 3, 200}), expected);
  check(">u4", big<std::uint32_t>({1, 2, 3, 200}), expected);
  check("<i8", little<std::int64_t>({1, 2, 3, -5}), matrix({{1, 2}, {3, -5}}));
  check(">i8", big<std::int64_t>({1, 2, 3, 200}), expected);
  check("<u8", little<std::uint64_t>({1, 2, 3, 1ULL << 63U}), matrix({{1, 2}, {3, 0x1p63F}}));
  check("<f4", little<float>({1, 2, 3, 0.25F}), matrix({{1, 2}, {3, 0.25F}}));
  check("=f4", little<float>({1, 2, 3, 0.25F}), matrix({{1, 2}, {3, 0.25F}}));
  check(">f4", big<float>({1, 2, 3, 0.25F}), matrix({{1, 2}, {3, 0.25F}}));
  check("<f8", little<double>({1, 2, 3, -0.25}), matrix({{1, 2}, {3, -0.25F}}));
  check(">f8", big<double>({1, 2, 3, -0.25}), matrix({{1, 2}, {3, -0.25F}}));
  // halves: 1 = 0x3c00, -2 = 0xc000, the smallest 2^-24 = 0x0001, the largest 65504 = 0x7bff
  check("<f2", little<std::uint16_t>({0x3c00, 0xc000, 0x0001, 0x7bff}),
        matrix({{1, -2}, {0x1p-24F, 65504}}));
  check(">f2", big<std::uint16_t>({0x3c00, 0xc000, 0x0001, 0x7bff}),
        matrix({{1, -2}, {0x1p-24F, 65504}}));
}

TEST(Npy, FortranOrderAndMoreDimensions) {
  const TempFolder folder;
  const auto expected = matrix({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(
      load(folder.write("x.npy", npy("<f4", true, "(2, 3)", little<float>({1, 4, 2, 5, 3, 6})))),
      expected);
  EXPECT_EQ(load(folder.write("x.npy",
                              npy("<f4", false, "(2, 3, 1)", little<float>({1, 2, 3, 4, 5, 6})))),
            expected);
  expect_error(Errc::corrupt_file, {"Fortran"}, [&] {
    load(folder.write("x.npy", npy("<f4", true, "(1, 2, 2)", little<float>({1, 2, 3, 4}))));
  });
}

TEST(Npy, FortranOrderAcrossBlocks) {  // more rows and columns than one tile holds
  const TempFolder folder;
  const Index rows = 20'011;
  const Index columns = 19;
  std::string data;
  for (Index column = 0; column < columns; ++column) {
    for (Index row = 0; row < rows; ++row) {
      data += little<float>({static_cast<float>(row * columns + column)});
    }
  }
  const Matrix<float> x = load(folder.write("x.npy", npy("<f4", true, "(20011, 19)", data)));
  ASSERT_EQ(x.rows(), rows);
  for (Index i = 0; i < x.size(); ++i) {
    ASSERT_EQ(x.data()[i], static_cast<float>(i));
  }
}

TEST(Npy, HeaderVariants) {
  const TempFolder folder;
  const std::string data = little<float>({1, 2});
  const auto with_header = [&](char version, const std::string& header) {
    const auto size = static_cast<std::uint32_t>(header.size());
    const std::string length = version == 1
                                   ? little<std::uint16_t>({static_cast<std::uint16_t>(size)})
                                   : little<std::uint32_t>({size});
    return folder.write("x.npy", "\x93NUMPY" + std::string{version, '\0'} + length + header + data);
  };
  const auto expected = matrix({{1, 2}});
  EXPECT_EQ(load(with_header(2, "{'shape': (1, 2), 'fortran_order': False, 'descr': '<f4'}\n")),
            expected);
  EXPECT_EQ(load(with_header(3, "{\"shape\":(1L,2L,),\"fortran_order\":False,\"descr\":\"<f4\"}")),
            expected);
  for (const char* header :
       {"", "{", "{}", "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, -2)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1, 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)} more",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), 'more': 'x'}",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1, 1)}",
        "{'descr': '', 'fortran_order': False, 'shape': (1, 1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 2)}"}) {
    SCOPED_TRACE(header);
    expect_error(Errc::corrupt_file, {"x.npy"}, [&] { load(with_header(1, header)); });
  }
  expect_error(Errc::corrupt_file, {"version 4"}, [&] { load(with_header(4, "{}")); });
}

TEST(Npy, ShapesThatCannotBe) {
  const TempFolder folder;
  const auto open = [&](const std::string& shape, const std::string& data = "") {
    return [&folder, shape, data] { load(folder.write("x.npy", npy("<f8", false, shape, data))); };
  };
  expect_error(Errc::corrupt_file, {"claims"}, open("(4294967296, 4294967296)"));
  expect_error(Errc::corrupt_file, {"claims"}, open("(18446744073709551615, 1)"));
  expect_error(Errc::corrupt_file, {"claims"}, open("(1, 18446744073709551615)"));
  expect_error(Errc::corrupt_file, {"claims"}, open("(2, 4611686018427387904, 4)"));
  expect_error(Errc::corrupt_file, {"cut short"}, open("(1000000000, 1000000)"));
  expect_error(Errc::corrupt_file, {"cut short"}, open("(1, 2)", little<double>({1})));
  expect_error(Errc::corrupt_file, {"too long"}, open("(1, 2)", little<double>({1, 2, 3})));
  expect_error(Errc::bad_data, {"no data", "0 rows of 4"}, open("(0, 4)"));
  expect_error(Errc::bad_data, {"no data"}, open("(4, 0)"));
  expect_error(Errc::bad_data, {"no data"}, open("(4, 0, 18446744073709551615)"));
  expect_error(Errc::bad_data, {"single number"}, open("()", little<double>({1})));
  expect_error(Errc::bad_data, {"list of 2 values"}, open("(2,)", little<double>({1, 2})));
}

TEST(Npy, NotFiniteValuesAreNamed) {
  const TempFolder folder;
  expect_error(Errc::bad_data, {"x.npy", "row 2, column 1", "nan"}, [&] {
    load(folder.write("x.npy", npy("<f4", false, "(2, 2)", little<float>({1, 2, kNaN, 4}))));
  });
  expect_error(Errc::bad_data, {"row 1, column 2", "-inf"}, [&] {
    load(folder.write("x.npy",
                      npy("<f2", false, "(2, 2)", little<std::uint16_t>({0, 0xfc00, 0, 0}))));
  });
  expect_error(Errc::bad_data, {"row 2, column 2", "inf"}, [&] {  // fits a double only
    load(folder.write("x.npy", npy("<f8", false, "(2, 2)", little<double>({1, 2, 3, 1e39}))));
  });
}

TEST(Idx, EveryElementType) {
  const TempFolder folder;
  const auto check = [&](char type, const std::string& data) {
    SCOPED_TRACE(static_cast<int>(type));
    const std::string bytes =
        std::string{'\0', '\0', type, '\3'} + big<std::uint32_t>({2, 1, 2}) + data;
    const auto expected = matrix({{1, 2}, {3, 100}});
    EXPECT_EQ(load(folder.write("a.idx", bytes)), expected);
    EXPECT_EQ(load(folder.write("a-images-idx3-ubyte.gz", gzip(bytes))), expected);
    EXPECT_EQ(load(folder.write("a.images.idx3-ubyte", bytes)), expected);
  };
  check(0x08, big<std::uint8_t>({1, 2, 3, 100}));
  check(0x09, big<std::int8_t>({1, 2, 3, 100}));
  check(0x0b, big<std::int16_t>({1, 2, 3, 100}));
  check(0x0c, big<std::int32_t>({1, 2, 3, 100}));
  check(0x0d, big<float>({1, 2, 3, 100}));
  check(0x0e, big<double>({1, 2, 3, 100}));
}

TEST(Idx, LabelsAndErrors) {
  const TempFolder folder;
  const std::string head{'\0', '\0', '\x08', '\1'};
  const std::string bytes = head + big<std::uint32_t>({3}) + "\x05\x01\x05";
  EXPECT_EQ(labels_of(folder.write("y-idx1-ubyte", bytes)).classes, (std::vector<int>{5, 1, 5}));
  EXPECT_EQ(labels_of(folder.write("y.idx.gz", gzip(bytes))).classes, (std::vector<int>{5, 1, 5}));
  for (const std::string& start :
       {std::string{'\1', '\0', '\x08', '\1'}, std::string{'\0', '\0', '\x07', '\1'},
        std::string{'\0', '\0', '\x08', '\0'}, std::string{'\0', '\0', '\x08', '\x09'}}) {
    expect_error(Errc::corrupt_file, {"not an idx file"},
                 [&] { labels_of(folder.write("y.idx", start + std::string(64, '\0'))); });
  }
  const std::string huge = std::string{'\0', '\0', '\x0e', '\4'} +
                           big<std::uint32_t>({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff});
  expect_error(Errc::corrupt_file, {"claims"}, [&] { load(folder.write("x.idx", huge)); });
}

TEST(Idx, GzipIsNeverInflatedBeyondItsHeader) {
  const TempFolder folder;
  const std::string head = std::string{'\0', '\0', '\x08', '\2'} + big<std::uint32_t>({1, 4});
  // a bomb: 64 MiB of zeros after the 4 bytes the header tells of
  expect_error(Errc::corrupt_file, {"too long"},
               [&] { load(folder.write("x.idx.gz", gzip(head + std::string(64U << 20U, '\0')))); });
  expect_error(Errc::corrupt_file, {"cut short"},
               [&] { load(folder.write("x.idx.gz", gzip(head + "abc"))); });
  // and the opposite: a small file that claims 4 GiB
  const std::string claim =
      std::string{'\0', '\0', '\x08', '\2'} + big<std::uint32_t>({65536, 65535});
  expect_error(Errc::corrupt_file, {"cannot hold"},
               [&] { load(folder.write("x.idx.gz", gzip(claim + "abc"))); });
}

TEST(Gzip, WorksWhereTheHeaderTellsTheSize) {
  const TempFolder folder;
  EXPECT_EQ(
      load(folder.write("x.npy.gz", gzip(npy("<f4", false, "(1, 2)", little<float>({1, 2}))))),
      matrix({{1, 2}}));
  expect_error(Errc::corrupt_file, {"gunzip"}, [&] {
    load(folder.write("x.npy.gz", gzip(npy("<f4", true, "(1, 2)", little<float>({1, 2})))));
  });
  expect_error(Errc::corrupt_file, {"gunzip"},
               [&] { load(folder.write("x.fvecs.gz", gzip("whatever"))); });
}

TEST(Vecs, RowsWithTheirDimension) {
  const TempFolder folder;
  const auto dimension = [](std::int32_t value) { return little<std::int32_t>({value}); };
  const auto expected = matrix({{1, 2, 3}, {4, 5, 250}});
  EXPECT_EQ(load(folder.write("x.fvecs", dimension(3) + little<float>({1, 2, 3}) + dimension(3) +
                                             little<float>({4, 5, 250}))),
            expected);
  EXPECT_EQ(load(folder.write("x.bvecs", dimension(3) + little<std::uint8_t>({1, 2, 3}) +
                                             dimension(3) + little<std::uint8_t>({4, 5, 250}))),
            expected);
  EXPECT_EQ(load(folder.write("x.ivecs", dimension(3) + little<std::int32_t>({1, 2, 3}) +
                                             dimension(3) + little<std::int32_t>({4, 5, 250}))),
            expected);
  expect_error(Errc::bad_data, {"x.fvecs", "row 2", "dimension 2"}, [&] {
    load(folder.write("x.fvecs",
                      dimension(1) + little<float>({1}) + dimension(2) + little<float>({1})));
  });
  for (const std::int32_t bad : {0, -1, std::numeric_limits<std::int32_t>::max()}) {
    expect_error(Errc::corrupt_file, {"dimension " + std::to_string(bad)},
                 [&] { load(folder.write("x.fvecs", dimension(bad) + little<float>({1}))); });
  }
  expect_error(Errc::corrupt_file, {"whole number of rows"},
               [&] { load(folder.write("x.fvecs", dimension(2) + little<float>({1}))); });
  expect_error(Errc::corrupt_file, {"empty"}, [&] { load(folder.write("x.fvecs", "")); });
  expect_error(Errc::bad_data, {"row 1, column 1"},
               [&] { load(folder.write("x.fvecs", dimension(1) + little<float>({kNaN}))); });
}

TEST(Bin, RowsAndColumnsFirst) {
  const TempFolder folder;
  const std::string head = little<std::uint32_t>({2, 3});
  EXPECT_EQ(load(folder.write("x.fbin", head + little<float>({1, 2, 3, 4, 5, 6}))),
            matrix({{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(load(folder.write("x.u8bin", head + little<std::uint8_t>({1, 2, 3, 4, 5, 255}))),
            matrix({{1, 2, 3}, {4, 5, 255}}));
  EXPECT_EQ(load(folder.write("x.i8bin", head + little<std::int8_t>({1, 2, 3, 4, 5, -1}))),
            matrix({{1, 2, 3}, {4, 5, -1}}));
  EXPECT_EQ(load(folder.write("x.ibin", head + little<std::int32_t>({1, 2, 3, 4, 5, -1}))),
            matrix({{1, 2, 3}, {4, 5, -1}}));
  expect_error(Errc::corrupt_file, {"cut short"}, [&] {
    load(folder.write("x.fbin", little<std::uint32_t>({0xffffffff, 0xff}) + "abcd"));
  });
  expect_error(Errc::corrupt_file, {"claims"}, [&] {
    load(folder.write("x.fbin", little<std::uint32_t>({0xffffffff, 0xffffffff}) + "abcd"));
  });
  expect_error(Errc::bad_data, {"no data"},
               [&] { load(folder.write("x.fbin", little<std::uint32_t>({0, 3}))); });
  expect_error(Errc::corrupt_file, {"too long"},
               [&] { load(folder.write("x.fbin", head + std::string(25, 'a'))); });
}

TEST(Images, CifarCarriesLabels) {
  const TempFolder folder;
  const std::string one = std::string("\x07") + std::string(3072, '\x01');
  const std::string two = std::string("\x02") + std::string(3071, '\x00') + '\xff';
  const auto file = folder.write("data_batch_1.bin", one + two);
  const LoadedTable table = load_table(std::vector{file});
  ASSERT_EQ(table.features.cols(), 3072);
  EXPECT_EQ(table.features.row(0).sum(), 3072.0F);
  EXPECT_EQ(table.features(1, 3071), 255.0F);
  EXPECT_EQ(table.features.row(1).sum(), 255.0F);
  EXPECT_EQ(table.labels.classes, (std::vector<int>{7, 2}));
  EXPECT_EQ(labels_of(file).classes, (std::vector<int>{7, 2}));
  expect_error(Errc::corrupt_file, {"3073"},
               [&] { load(folder.write("test_batch.bin", one + "x")); });
  expect_error(Errc::corrupt_file, {"empty"}, [&] { load(folder.write("test_batch.bin", "")); });
  expect_error(Errc::bad_data, {"row 2", "label 10", "0 to 9"}, [&] {
    labels_of(folder.write("test_batch.bin", one + '\x0a' + std::string(3072, 'x')));
  });
  // CIFAR-100: coarse label, fine label
  const LoadedTable fine = load_table(
      std::vector{folder.write("train.bin", std::string("\x05\x63") + std::string(3072, '\x02'))},
      {.format = "cifar100"});
  EXPECT_EQ(fine.labels.classes, std::vector<int>{99});
  EXPECT_EQ(fine.features.sum(), 6144.0F);
}

TEST(Images, StlKeepsLabelsInTheirOwnFile) {
  const TempFolder folder;
  const auto x =
      folder.write("train_X.bin", std::string(27648, '\x01') + std::string(27648, '\x02'));
  const auto y = folder.write("train_y.bin", "\x0a\x01");
  const Dataset data = load_dataset(std::vector{x}, std::vector{y}, "stl");
  EXPECT_EQ(data.features.row(1).sum(), 2.0F * 27648);
  EXPECT_EQ(data.labels.classes, (std::vector<int>{10, 1}));
}

}  // namespace
}  // namespace structhash
