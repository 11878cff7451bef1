#include "data/public_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "data/files.hpp"
#include "data/sha256.hpp"
#include "support/places.hpp"

namespace structhash::test {
namespace {

TEST(Sha256, PublishedExamples) {  // FIPS 180-4 and its test vectors
  data::Sha256 empty;
  EXPECT_EQ(empty.hex_digest(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  data::Sha256 letters;
  letters.add("a", 1);
  letters.add("bc", 2);
  EXPECT_EQ(letters.hex_digest(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  data::Sha256 million;
  const std::string piece(1'000, 'a');
  for (int i = 0; i < 1'000; ++i) {
    million.add(piece.data(), piece.size());
  }
  EXPECT_EQ(million.hex_digest(),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesDoNotMatter) {  // 55, 56, 63 and 64 bytes: the padding needs one block or two
  std::string bytes;
  for (std::size_t size = 0; size < 200; ++size, bytes += static_cast<char>(size * 37)) {
    data::Sha256 whole;
    whole.add(bytes.data(), bytes.size());
    data::Sha256 single;
    for (const char& byte : bytes) {
      single.add(&byte, 1);
    }
    data::Sha256 split;
    split.add(bytes.data(), size / 3);
    split.add(bytes.data() + size / 3, size - size / 3);
    const std::string digest = whole.hex_digest();
    EXPECT_EQ(single.hex_digest(), digest) << size;
    EXPECT_EQ(split.hex_digest(), digest) << size;
  }
}

TEST(Sha256, PaddingAroundABlock) {  // of 55, 56, 63, 64 and 65 letters x, by Python's hashlib
  for (const auto& [size, expected] :
       {std::pair{55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"},
        std::pair{56, "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"},
        std::pair{63, "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"},
        std::pair{64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"},
        std::pair{65, "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9"}}) {
    data::Sha256 hash;
    const std::string letters(static_cast<std::size_t>(size), 'x');
    hash.add(letters.data(), letters.size());
    EXPECT_EQ(hash.hex_digest(), expected) << size;
  }
}

TEST(PublicSets, TheTableIsWellFormed) {
  std::set<std::string_view> names;
  std::set<std::string_view> folders;
  for (const PublicSet& set : public_sets()) {
    SCOPED_TRACE(set.name);
    EXPECT_TRUE(names.insert(set.name).second);
    EXPECT_TRUE(folders.insert(set.folder).second);
    EXPECT_TRUE(set.source.starts_with("http"));
    EXPECT_FALSE(set.licence.empty());
    for (const PublicFile& file : set.files) {
      EXPECT_TRUE(file.sha256.empty() || file.sha256.size() == 64) << file.name;
      EXPECT_TRUE(file.sha256.empty() || file.size > 0) << file.name;
      EXPECT_EQ(file.sha256.find_first_not_of("0123456789abcdef"), std::string_view::npos);
    }
  }
  for (const char* const name : {"MNIST", "USPS", "CIFAR-10", "STL-10", "ISOLET", "Tiny-580K",
                                 "Flickr-1M", "SIFT-1M", "GIST-1M"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

class CheckSets : public testing::Test {
 protected:
  /// The state of a file, and whether its detail holds the words.
  void expect(const std::string& path, FileState state, const std::string& words = "") const {
    const std::vector<FileCheck> checks = check_public_sets(folder_.path(""));
    const auto found = std::ranges::find(checks, path, &FileCheck::path);
    ASSERT_NE(found, checks.end()) << path;
    EXPECT_EQ(file_state_name(found->state), file_state_name(state)) << found->detail;
    EXPECT_NE(found->detail.find(words), std::string::npos) << found->detail;
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories(std::filesystem::path(folder_.path(name)).parent_path());
    folder_.write(name, bytes);
  }

  const TempFolder folder_;
};

TEST_F(CheckSets, WrongSizesAndSums) {
  write("scene/y.npy", "short");
  expect("scene/y.npy", FileState::wrong, "expected 14570 bytes, got 5");
  write("scene/y.npy", std::string(14'570, 'x'));
  expect("scene/y.npy", FileState::wrong, "expected sha256 dcf66183");
  write("scene/y.npy", std::string(14'571, 'x'));
  expect("scene/y.npy", FileState::wrong, "got more");
  write("scene/y.npy", "");
  expect("scene/y.npy", FileState::wrong, "got 0");
  expect("scene/x.npy", FileState::missing);
  expect("mnist", FileState::missing, "no file of this data set");
}

TEST_F(CheckSets, PackedFilesCountByTheirContent) {
  write("mnist/t10k-labels-idx1-ubyte.gz", gzip(std::string(10'008, 'x')));
  expect("mnist/t10k-labels-idx1-ubyte.gz", FileState::wrong, "expected sha256");
  write("mnist/t10k-labels-idx1-ubyte.gz", gzip(std::string(9'000, 'x')));
  expect("mnist/t10k-labels-idx1-ubyte.gz", FileState::wrong, "got 9000");
  const std::string whole = gzip(std::string(10'008, 'x'));
  write("mnist/t10k-labels-idx1-ubyte.gz", whole.substr(0, whole.size() / 2));
  expect("mnist/t10k-labels-idx1-ubyte.gz", FileState::wrong);
}

TEST_F(CheckSets, WithoutAChecksumNothingIsPromised) {
  write("stl10_binary/train_y.bin", std::string(5'000, '\1'));
  expect("stl10_binary/train_y.bin", FileState::unverified, "no checksum known");
  write("stl10_binary/train_y.bin", std::string(5'001, '\1'));
  expect("stl10_binary/train_y.bin", FileState::wrong);
  write("isolet/isolet5.data", "1,2");
  expect("isolet/isolet5.data", FileState::unverified, "no checksum known");
}

TEST_F(CheckSets, FilesOfOneSetMayLieInTheFolderItself) {
  write("sift_groundtruth.ivecs", "x");
  write("notes.txt", "x");
  expect("sift_groundtruth.ivecs", FileState::wrong, "expected 4040000 bytes");
  expect("notes.txt", FileState::unknown);
  const std::vector<FileCheck> checks = check_public_sets(folder_.path(""));
  EXPECT_EQ(std::ranges::count(checks, std::string("mnist"), &FileCheck::path), 0);
}

TEST_F(CheckSets, NoFolder) {
  expect_error(Errc::io, {"is not a readable folder"},
               [&] { check_public_sets(folder_.path("gone")); });
}

TEST(CheckRealSets, FilesAtHandAreRight) {
  const std::string folder = in_shared_data("");
  if (!std::filesystem::exists(folder + "/mnist")) {
    GTEST_SKIP() << "no data sets at " << folder;
  }
  Index right = 0;
  for (const FileCheck& check : check_public_sets(folder)) {
    EXPECT_NE(check.state, FileState::wrong) << check.path << ": " << check.detail;
    right += check.state == FileState::ok ? 1 : 0;
  }
  EXPECT_GE(right, 4);
}

}  // namespace
}  // namespace structhash::test
