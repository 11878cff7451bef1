#include <gtest/gtest.h>

#include <numeric>

#include "data/files.hpp"
#include "data/h5_files.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::H5Writer;
using test::labels_of;
using test::load;
using test::matrix;
using test::TempFolder;

std::string two_datasets(const TempFolder& folder) {
  const std::string path = folder.path("x.h5");
  const H5Writer file(path);
  file.write_floats("train/data", {2, 3}, {1, 2, 3, 4, 5, 6});
  const std::vector<int> labels{7, -8};
  file.write("train/target", {2}, H5T_STD_I64BE, H5T_NATIVE_INT, labels.data());
  return path;
}

TEST(H5, ReadsTheNamedDataset) {
  const TempFolder folder;
  const std::string path = two_datasets(folder);
  EXPECT_EQ(load(path + ":train/data"), matrix({{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(load(path + ":/train/data"), matrix({{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(labels_of(path + ":train/target").classes, (std::vector<int>{7, -8}));
  std::filesystem::rename(path, folder.path("x.mat"));
  EXPECT_EQ(load(folder.path("x.mat") + ":train/data", "h5"), matrix({{1, 2, 3}, {4, 5, 6}}));
}

TEST(H5, ReadsDeflatedChunksDoublesAndMoreDimensions) {
  const TempFolder folder;
  std::vector<double> values(5'000 * 30);
  std::iota(values.begin(), values.end(), 0.0);
  for (const bool checksum : {false, true}) {
    const std::string path = folder.path(checksum ? "a.hdf5" : "b.hdf5");
    H5Writer(path, checksum)
        .write("images", {5'000, 5, 6}, H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, values.data(), 333);
    const Matrix<float> x = load(path);  // the only dataset needs no name
    ASSERT_EQ(x.rows(), 5'000);
    ASSERT_EQ(x.cols(), 30);
    for (Index i = 0; i < x.size(); ++i) {
      ASSERT_EQ(x.data()[i], static_cast<float>(i));
    }
  }
}

/// A dataset of 6 x 4 floats 0 to 23 in chunks of 2 x 3, with the filters that `set` adds.
template <typename SetFilters>
std::string with_filters(const TempFolder& folder, const SetFilters& set) {
  const std::string path = folder.path("filters.h5");
  const std::vector<hsize_t> extent{6, 4};
  const std::vector<hsize_t> chunk{2, 3};
  std::vector<float> values(24);
  std::iota(values.begin(), values.end(), 0.0F);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 2, chunk.data());
  set(creation);
  const hid_t space = H5Screate_simple(2, extent.data(), nullptr);
  const hid_t dataset =
      H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(creation);
  H5Fclose(file);
  return path;
}

TEST(H5, FiltersInAnyOrderAndNone) {
  const TempFolder folder;
  const auto expect_read = [&](const auto& set) {
    const Matrix<float> x = load(with_filters(folder, set));
    ASSERT_EQ(x.rows(), 6);
    ASSERT_EQ(x.cols(), 4);
    for (Index i = 0; i < x.size(); ++i) {
      ASSERT_EQ(x.data()[i], static_cast<float>(i));
    }
  };
  expect_read([](hid_t) {});
  expect_read([](hid_t creation) { H5Pset_fletcher32(creation); });
  expect_read([](hid_t creation) {  // the checksum is compressed with the data
    H5Pset_fletcher32(creation);
    H5Pset_deflate(creation, 6);
  });
}

TEST(H5, OtherFiltersAreRefusedWithWhatToDo) {
  const TempFolder folder;
  const std::string path = with_filters(
      folder, [](hid_t creation) { H5Pset_scaleoffset(creation, H5Z_SO_FLOAT_DSCALE, 2); });
  expect_error(Errc::corrupt_file, {"rows 1 to 6", "filter other than gzip", "h5repack"},
               [&] { load(path); });
  const std::string twice = with_filters(folder, [](hid_t creation) {
    H5Pset_deflate(creation, 6);
    H5Pset_deflate(creation, 1);
  });
  expect_error(Errc::corrupt_file, {"rows 1 to 6"}, [&] { load(twice); });
}

TEST(H5, WhatWasNeverWrittenIsRefused) {
  const TempFolder folder;
  const std::string path = folder.path("x.h5");
  {
    const H5Writer file(path);
    file.write("whole", {4, 2}, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, nullptr);
    file.write("chunked", {4, 2}, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, nullptr, 2);
  }
  expect_error(Errc::corrupt_file, {"not written completely"}, [&] { load(path + ":whole"); });
  expect_error(Errc::corrupt_file, {"rows 1 to 4", "not written completely"},
               [&] { load(path + ":chunked"); });
}

TEST(H5, ReadsBooleansAsNumpyStoresThem) {
  const TempFolder folder;
  const std::string path = folder.path("y.h5");
  const hid_t boolean = H5Tenum_create(H5T_NATIVE_INT8);
  for (const std::int8_t value : {std::int8_t{0}, std::int8_t{1}}) {
    H5Tenum_insert(boolean, value == 0 ? "FALSE" : "TRUE", &value);
  }
  const std::vector<std::int8_t> values{1, 0, 1, 1};
  H5Writer(path).write("y", {2, 2}, boolean, boolean, values.data());
  H5Tclose(boolean);
  EXPECT_EQ(labels_of(path).multi, (Matrix<std::uint8_t>{{1, 0}, {1, 1}}));
}

TEST(H5, ReadsTextOfFixedLengthAsLabels) {
  const TempFolder folder;
  const std::string path = folder.path("text.h5");
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 6);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  const std::string texts = std::string("cat\0\0\0zebra\0cat\0\0\0dog\0\0\0", 24);
  const hid_t variable = H5Tcopy(H5T_C_S1);
  H5Tset_size(variable, H5T_VARIABLE);
  const std::vector<const char*> pointers{"cat", "dog"};
  {
    const H5Writer file(path);
    file.write("labels", {4}, type, type, texts.data());
    file.write("wide", {2, 2}, type, type, texts.data());
    file.write("variable", {2}, variable, variable, pointers.data());
  }
  H5Tclose(variable);
  H5Tclose(type);
  const Labels labels = labels_of(path + ":labels");
  EXPECT_EQ(labels.classes, (std::vector<int>{0, 2, 0, 1}));
  EXPECT_EQ(labels.names, (std::vector<std::string>{"cat", "dog", "zebra"}));
  expect_error(Errc::bad_data, {"several columns of text"}, [&] { labels_of(path + ":wide"); });
  expect_error(Errc::bad_data, {"text of variable length", "astype('S')"},
               [&] { labels_of(path + ":variable"); });
  expect_error(Errc::bad_data, {"list of 4"}, [&] { load(path + ":labels"); });
}

TEST(H5, ErrorsSayWhatTheFileHolds) {
  const TempFolder folder;
  const std::string path = two_datasets(folder);
  testing::internal::CaptureStderr();
  expect_error(Errc::bad_data, {"'test/data'", "train/data", "train/target"},
               [&] { load(path + ":test/data"); });
  expect_error(Errc::bad_data, {"name the dataset", "train/data", "train/target"},
               [&] { load(path); });
  expect_error(Errc::bad_data, {"'train'"}, [&] { load(path + ":train"); });
  expect_error(Errc::bad_data, {"list of 2"}, [&] { load(path + ":train/target"); });
  expect_error(Errc::io, {"none.h5"}, [&] { load(folder.path("none.h5") + ":a"); });
  expect_error(Errc::corrupt_file, {"not an HDF5 file"},
               [&] { load(folder.write("bad.h5", "nonsense") + ":a"); });
  expect_error(Errc::corrupt_file, {"empty"}, [&] { load(folder.write("bad.h5", "")); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");  // the library's own error printing is off
}

TEST(H5, ContentErrors) {
  const TempFolder folder;
  const std::string path = folder.path("x.h5");
  {
    const H5Writer file(path);
    file.write_floats("nan", {1, 2}, {1, std::numeric_limits<float>::quiet_NaN()});
    file.write_floats("empty", {0, 2}, {});
    file.write("scalar", {}, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, nullptr);
    file.write("huge", {1ULL << 40U, 1U << 20U}, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, nullptr, 1);
    const hid_t text = H5Tcopy(H5T_C_S1);
    file.write("text", {2, 1}, text, text, "ab");
    H5Tclose(text);
    const std::vector<long double> wide{1, 2};
    file.write("wide", {2, 1}, H5T_NATIVE_LDOUBLE, H5T_NATIVE_LDOUBLE, wide.data());
  }
  expect_error(Errc::bad_data, {"x.h5:nan", "row 1, column 2"}, [&] { load(path + ":nan"); });
  expect_error(Errc::bad_data, {"empty"}, [&] { load(path + ":empty"); });
  expect_error(Errc::bad_data, {"single number"}, [&] { load(path + ":scalar"); });
  expect_error(Errc::corrupt_file, {"claims more numbers"}, [&] { load(path + ":huge"); });
  expect_error(Errc::bad_data, {"several columns of text"}, [&] { load(path + ":text"); });
  expect_error(Errc::corrupt_file, {"numbers of 16 bytes", "1, 2, 4 and 8"},
               [&] { load(path + ":wide"); });
}

}  // namespace
}  // namespace structhash
