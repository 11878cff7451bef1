#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "data/files.hpp"
#include "data/h5_files.hpp"

/// Whatever happens to a file, reading it gives an Error or a valid table: never a crash, never
/// another exception, never a number that is not finite.
namespace structhash {
namespace {

using test::big;
using test::gzip;
using test::little;
using test::npy;
using test::TempFolder;

struct Sample {
  std::string name;  // of the file
  std::string bytes;
  bool cut_is_always_seen;  // text that ends early may be a shorter table
};

std::string h5_bytes() {
  const TempFolder folder;
  const std::string path = folder.path("x.h5");
  test::H5Writer(path).write_floats("g/x", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, 2);
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Sample> samples() {
  const std::string idx =
      std::string{'\0', '\0', '\x08', '\2'} + big<std::uint32_t>({2, 3}) + "abcdef";
  const std::string row = little<std::int32_t>({2}) + little<float>({1, 2});
  return {{"x.npy", npy("<f4", false, "(2, 2)", little<float>({1, 2, 3, 4})), true},
          {"f.npy", npy(">f8", true, "(2, 2)", big<double>({1, 2, 3, 4})), true},
          {"x.idx", idx, true},
          {"x.idx.gz", gzip(idx), true},
          {"x.fvecs", row + row, false},  // cut after a row, it is a shorter table
          {"x.fbin", little<std::uint32_t>({1, 2}) + little<float>({1, 2}), true},
          {"x.u8bin", little<std::uint32_t>({1, 2}) + "ab", true},
          {"x.csv", "a,b\n1,2.5\n-3e1,4\n", false},
          {"x.libsvm", "1 qid:2 1:0.5 3:2\n-1 qid:3 2:1\n", false},
          {"data_batch_1.bin", '\3' + std::string(3072, 'x'), true}};
}

/// True if the file was refused; a table that is accepted must be sound.
bool refused(const std::string& path) {
  try {
    const LoadedTable table = load_table(std::vector{path});
    EXPECT_GT(table.features.size(), 0);
    EXPECT_TRUE(table.features.allFinite());
    EXPECT_TRUE(table.labels.empty() || table.labels.size() == table.features.rows());
    return false;
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == Errc::bad_data || error.code() == Errc::corrupt_file)
        << error.what();
    EXPECT_NE(std::string(error.what()).find(std::filesystem::path(path).filename().string()),
              std::string::npos)
        << error.what();
    return true;
  }
}

TEST(DamagedFiles, CutAtEveryLength) {
  const TempFolder folder;
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    ASSERT_FALSE(refused(folder.write(sample.name, sample.bytes)));
    for (std::size_t length = 0; length < sample.bytes.size(); ++length) {
      SCOPED_TRACE(length);
      const bool seen = refused(folder.write(sample.name, sample.bytes.substr(0, length)));
      ASSERT_TRUE(seen || !sample.cut_is_always_seen);
    }
  }
}

TEST(DamagedFiles, OneByteTooMany) {
  const TempFolder folder;
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(refused(folder.write(sample.name, sample.bytes + "\n")),
              !sample.name.ends_with(".csv") && !sample.name.ends_with(".libsvm"));
  }
}

TEST(DamagedFiles, EveryBitFlipped) {
  const TempFolder folder;
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    const Matrix<float> original = test::load(folder.write(sample.name, sample.bytes));
    const std::size_t step = sample.bytes.size() > 1'000 ? 61 : 1;  // pixels are all alike
    for (std::size_t at = 0; at < sample.bytes.size(); at += step) {
      for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
        SCOPED_TRACE(std::to_string(at) + " ^ " + std::to_string(flip));
        std::string bytes = sample.bytes;
        bytes[at] = static_cast<char>(bytes[at] ^ flip);
        const std::string path = folder.write(sample.name, bytes);
        if (!refused(path) && path.ends_with(".gz")) {  // its checksum covers the data
          ASSERT_EQ(test::load(path), original);
        }
      }
    }
  }
}

/// Runs in a process of its own, which ends without cleaning up: on damaged files the HDF5 library
/// leaks memory and complains about it at exit.  True if nothing crashed and no check failed.
template <typename Action>
bool survives(const Action& action) {
  const bool failed_before = testing::Test::HasFailure();
  const pid_t child = fork();
  if (child == 0) {
    action();
    _exit(testing::Test::HasFailure() && !failed_before ? 1 : 0);
  }
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

TEST(DamagedFiles, Hdf5) {
  const TempFolder folder;
  const std::string whole = h5_bytes();
  ASSERT_FALSE(refused(folder.write("x.h5", whole)));
  constexpr std::size_t kBatch = 512;
  for (std::size_t first = 0; first < whole.size(); first += kBatch) {
    const std::size_t last = std::min(first + kBatch, whole.size());
    EXPECT_TRUE(survives([&] {
      for (std::size_t at = first; at < last; ++at) {
        SCOPED_TRACE(at);
        EXPECT_TRUE(refused(folder.write("x.h5", whole.substr(0, at))));
        for (const int flip : {1, 255}) {
          std::string bytes = whole;
          bytes[at] = static_cast<char>(bytes[at] ^ flip);
          refused(folder.write("x.h5", bytes));
        }
      }
    })) << "bytes "
        << first << " to " << last;
  }
}

}  // namespace
}  // namespace structhash
