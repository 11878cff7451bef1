#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "data/files.hpp"
#include "data/h5_files.hpp"
#include "support/memory_limit.hpp"

/// Every length that a file claims, at 0, 1, its largest value and one less: an error or a sound
/// table, and never the memory that is claimed.
namespace structhash {
namespace {

using test::big;
using test::gzip;
using test::little;
using test::npy;
using test::TempFolder;

constexpr rlim_t kEnough = 128U << 20U;  // for buffers; the claims are far larger or tiny

/// Loads features and labels; nothing but Error may come out, and tables must be sound.
void expect_error_or_table(const std::string& path) {
  const test::MemoryLimit limit(kEnough);
  const auto attempt = [&](const auto& load) {
    try {
      load();
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == Errc::bad_data || error.code() == Errc::corrupt_file)
          << error.what();
    }
  };
  attempt([&] {
    const LoadedTable table = load_table(std::vector{path});
    EXPECT_LE(table.features.size(), 1 << 20);
    EXPECT_TRUE(table.features.allFinite());
  });
  attempt([&] { EXPECT_LE(load_labels(std::vector{path}).size(), 1 << 20); });
}

/// A number of some bytes somewhere in a file.
struct LengthField {
  std::string file;  // its name
  std::string bytes;
  std::size_t at;
  std::size_t size;
};

std::vector<LengthField> length_fields() {
  const std::string four = little<float>({1, 2, 3, 4});
  const std::string small_npy = npy("<f4", false, "(2, 2)", four);
  std::string second_version = small_npy;
  second_version[6] = 2;
  second_version.insert(10, 2, '\0');
  const std::string idx =
      std::string{'\0', '\0', '\x08', '\3'} + big<std::uint32_t>({1, 2, 2}) + "abcd";
  const std::string vector = little<std::int32_t>({2}) + little<float>({1, 2});
  const std::string bin = little<std::uint32_t>({2, 2}) + four;
  const std::string zipped = gzip(idx);
  return {{"x.npy", small_npy, 8, 2},
          {"x.npy", second_version, 8, 4},
          {"x.idx", idx, 3, 1},
          {"x.idx", idx, 4, 4},
          {"x.idx", idx, 8, 4},
          {"x.idx", idx, 12, 4},
          {"x.idx.gz", zipped, zipped.size() - 4, 4},  // what gzip says about the length
          {"x.fvecs", vector + vector, 0, 4},
          {"x.fvecs", vector + vector, 12, 4},
          {"x.bvecs", little<std::int32_t>({2}) + "ab", 0, 4},
          {"x.ivecs", little<std::int32_t>({1, 5}), 0, 4},
          {"x.fbin", bin, 0, 4},
          {"x.fbin", bin, 4, 4},
          {"x.u8bin", little<std::uint32_t>({2, 2}) + "abcd", 4, 4},
          {"x.i8bin", little<std::uint32_t>({2, 2}) + "abcd", 0, 4},
          {"x.ibin", bin, 4, 4}};
}

TEST(ClaimedSizes, EveryFieldOfBinaryFiles) {
  const TempFolder folder;
  for (const LengthField& field : length_fields()) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, ~std::uint64_t{1}}) {
      SCOPED_TRACE(field.file + " at " + std::to_string(field.at) + ": " + std::to_string(value));
      const std::string number = little<std::uint64_t>({value});
      for (const bool swap : {false, true}) {
        std::string bytes = field.bytes;
        std::string part = number.substr(0, field.size);
        if (swap) {
          std::reverse(part.begin(), part.end());
        }
        bytes.replace(field.at, field.size, part);
        expect_error_or_table(folder.write(field.file, bytes));
      }
    }
  }
}

TEST(ClaimedSizes, NumbersInText) {
  const TempFolder folder;
  for (const char* value : {"0", "1", "9223372036854775807", "18446744073709551614",
                            "18446744073709551615", "18446744073709551616", "-1"}) {
    SCOPED_TRACE(value);
    const std::string number = value;
    for (const std::string& shape : {"(" + number + ", 2)", "(2, " + number + ")",
                                     "(" + number + ",)", "(" + number + ", " + number + ")"}) {
      expect_error_or_table(
          folder.write("x.npy", npy("<f4", false, shape, little<float>({1, 2, 3, 4}))));
    }
    expect_error_or_table(folder.write("x.libsvm", "1 " + number + ":1\n"));
    expect_error_or_table(folder.write("x.libsvm", "1 qid:" + number + " 1:1\n"));
  }
}

TEST(ClaimedSizes, AWideFirstLineIsNotTakenForAllRows) {
  const TempFolder folder;
  std::string text = "1";
  for (int i = 0; i < 100'000; ++i) {
    text += ",1";
  }
  for (int i = 0; i < 100'000; ++i) {
    text += "\n1";
  }
  const std::string path = folder.write("x.csv", text);  // would be 40 GB of features, 10 of labels
  const test::MemoryLimit limit(kEnough);
  test::expect_error(Errc::bad_data, {"x.csv", "100001"},
                     [&] { load_features(std::vector{path}); });
  test::expect_error(Errc::bad_data, {"x.csv", "100001"}, [&] { load_labels(std::vector{path}); });
}

/// A chunk of 2 GiB, of which the file holds 40 bytes.
TEST(ClaimedSizes, ChunksOfHdf5) {
  const TempFolder folder;
  const std::string path = folder.path("x.h5");
  const std::vector<hsize_t> extent{1, 4};
  const std::vector<hsize_t> limits{H5S_UNLIMITED, 4};
  const std::vector<hsize_t> chunk{std::uint64_t{1} << 27U, 4};
  const std::vector<hsize_t> origin{0, 0};
  const std::string stored(40, 'x');
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 2, chunk.data());
  H5Pset_deflate(creation, 6);
  const hid_t space = H5Screate_simple(2, extent.data(), limits.data());
  const hid_t dataset =
      H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  ASSERT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, origin.data(), stored.size(), stored.data()),
            0);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(creation);
  H5Fclose(file);
  const test::MemoryLimit limit(kEnough);
  test::expect_error(Errc::corrupt_file, {"x.h5", "rows 1 to 1"},
                     [&] { load_features(std::vector{path}); });
}

}  // namespace
}  // namespace structhash
