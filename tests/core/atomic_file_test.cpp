#include "core/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <vector>

#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

TEST(AtomicFile, WritesInPiecesAndReplacesOnCommit) {
  const TemporaryFolder folder;
  const std::string path = folder.file("out");
  write_bytes(path, "old");
  std::string expected;
  AtomicFile file(path);
  for (int i = 0; i < 50; ++i) {  // pieces below, around and above the size of the buffer
    const std::string piece(static_cast<std::size_t>(i * i * 150), static_cast<char>('a' + i % 26));
    file.write(piece);
    expected += piece;
    ASSERT_EQ(file.size(), expected.size());
  }
  EXPECT_EQ(read_bytes(path), "old");
  file.commit();
  EXPECT_EQ(read_bytes(path), expected);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, WithoutCommitTheOldFileStays) {
  const TemporaryFolder folder;
  const std::string path = folder.file("out");
  write_bytes(path, "old");
  {
    AtomicFile file(path);
    file.write("new");
    EXPECT_EQ(folder.entries(), 2);
  }
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, OverwriteReplacesEarlierBytes) {
  const TemporaryFolder folder;
  AtomicFile file(folder.file("out"));
  file.write("....body");
  file.overwrite(0, "head", 4);
  file.write("-tail");
  expect_error(Errc::usage, "written before", [&] { file.overwrite(10, "xxxx", 4); });
  file.commit();
  EXPECT_EQ(read_bytes(folder.file("out")), "headbody-tail");
}

TEST(AtomicFile, NothingAfterCommit) {
  const TemporaryFolder folder;
  AtomicFile file(folder.file("out"));
  file.commit();
  expect_error(Errc::usage, "committed", [&] { file.write("x"); });
  expect_error(Errc::usage, "committed", [&] { file.overwrite(0, "", 0); });
  expect_error(Errc::usage, "only once", [&] { file.commit(); });
}

TEST(AtomicFile, NewFilesFollowTheUmaskAndReplacedOnesKeepTheirMode) {
  const TemporaryFolder folder;
  const auto mode_after_write = [&](const std::string& path) {
    AtomicFile file(path);
    file.commit();
    struct stat status{};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 0777U;
  };
  const mode_t previous = ::umask(027);
  EXPECT_EQ(mode_after_write(folder.file("new")), 0640U);
  ::umask(previous);
  write_bytes(folder.file("old"), "x");
  ASSERT_EQ(::chmod(folder.file("old").c_str(), 0604), 0);
  EXPECT_EQ(mode_after_write(folder.file("old")), 0604U);
}

TEST(AtomicFile, FollowsSymbolicLinks) {
  const TemporaryFolder folder;
  write_bytes(folder.file("target"), "old");
  std::filesystem::create_symlink("target", folder.file("link"));
  AtomicFile file(folder.file("link"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(read_bytes(folder.file("target")), "new");
}

TEST(AtomicFile, RefusesWhatIsWriteProtected) {
  const TemporaryFolder folder;
  write_bytes(folder.file("out"), "old");
  ASSERT_EQ(::chmod(folder.file("out").c_str(), 0444), 0);
  expect_error(Errc::io, "write-protected", [&] { AtomicFile(folder.file("out")); });
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, RefusesDevicesAndFolders) {
  const TemporaryFolder folder;
  expect_error(Errc::io, "/dev/null", [] { AtomicFile("/dev/null"); });
  expect_error(Errc::io, "not a regular file", [&] { AtomicFile(folder.path()); });
  expect_error(Errc::usage, "empty", [] { AtomicFile(""); });
}

TEST(AtomicFile, RefusesLinksThatLeadNowhere) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("b", folder.file("a"));
  std::filesystem::create_symlink("a", folder.file("b"));
  expect_error(Errc::io, folder.file("a") + ": Too many levels of symbolic links",
               [&] { AtomicFile(folder.file("a")); });
  EXPECT_EQ(folder.entries(), 2);
}

TEST(AtomicFile, MissingFolderIsNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.file("absent/out");
  expect_error(Errc::io, path + ": No such file or directory", [&] { AtomicFile{path}; });
}

TEST(AtomicFile, ReadOnlyFolderLeavesTheOldFile) {
  const TemporaryFolder folder;
  const std::string path = folder.file("out");
  write_bytes(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  constexpr uid_t kNobody = 65534;  // root may write anywhere, so it steps down for this test
  const bool root = ::geteuid() == 0;
  if (root) {
    ::setfsuid(kNobody);
  }
  expect_error(Errc::io, path + ": Permission denied", [&] { AtomicFile{path}; });
  if (root) {
    ::setfsuid(0);
  }
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  EXPECT_EQ(read_bytes(path), "old");
}

TEST(AtomicFile, FullDiskLeavesTheOldFileAndNoTemporary) {
  const TemporaryFolder folder;
  const std::string path = folder.file("out");
  write_bytes(path, "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);  // let write() fail with EFBIG instead
  for (const std::size_t size : {std::size_t{100'000}, std::size_t{1'000'000}}) {
    const rlimit limited{10'000, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limited), 0);
    expect_error(Errc::io, path + ": File too large", [&] {
      AtomicFile file(path);
      file.write(std::string(size, 'x'));  // small: fails in commit; large: fails at once
      file.commit();
    });
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  }
  std::signal(SIGXFSZ, previous);
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, FolderThatVanishesIsAnIoError) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("sub"));
  AtomicFile file(folder.file("sub/out"));
  std::filesystem::remove_all(folder.file("sub"));
  expect_error(Errc::io, "cannot replace", [&] { file.commit(); });
}

/// What a killed writer left is not locked; what a living one writes is.
TEST(AtomicFile, RemovesWhatKilledWritersLeftAndNothingElse) {
  const TemporaryFolder folder;
  const std::string path = folder.file("out");
  write_bytes(path + ".tmp-4711-0", "left by a killed writer");
  write_bytes(path + ".tmp-4711-12", "another");
  const std::vector<std::string> others{".tmp-4711", ".tmp-x-0", ".tmp-4711-0.bak", "2.tmp-4711-0"};
  for (const std::string& name : others) {
    write_bytes(path + name, "not ours");
  }
  AtomicFile first(path);
  first.write("first");
  AtomicFile second(path);  // must not take the file of the first for stale
  second.write("second");
  EXPECT_EQ(folder.entries(), std::ssize(others) + 2);
  first.commit();
  EXPECT_EQ(read_bytes(path), "first");
  second.commit();
  EXPECT_EQ(read_bytes(path), "second");
  EXPECT_EQ(folder.entries(), std::ssize(others) + 1);
}

}  // namespace
}  // namespace structhash
