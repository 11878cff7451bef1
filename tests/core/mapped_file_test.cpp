#include "core/mapped_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <utility>

#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::TemporaryFolder;
using test::write_bytes;

std::string text(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, HoldsTheBytesOfTheFile) {
  const TemporaryFolder folder;
  write_bytes(folder.file("a"), "some bytes");
  const MappedFile file(folder.file("a"));
  EXPECT_EQ(text(file), "some bytes");
  EXPECT_EQ(file.path(), folder.file("a"));
}

TEST(MappedFile, MovesItsMapping) {
  const TemporaryFolder folder;
  write_bytes(folder.file("a"), "first");
  write_bytes(folder.file("b"), "second");
  MappedFile a(folder.file("a"));
  MappedFile moved(std::move(a));
  EXPECT_EQ(text(moved), "first");
  MappedFile b(folder.file("b"));
  moved = std::move(b);
  EXPECT_EQ(text(moved), "second");
  EXPECT_EQ(moved.path(), folder.file("b"));
}

TEST(MappedFile, SurvivesReplacementOfTheFile) {
  const TemporaryFolder folder;
  write_bytes(folder.file("a"), "old");
  write_bytes(folder.file("b"), "new");
  const MappedFile file(folder.file("a"));
  std::filesystem::rename(folder.file("b"), folder.file("a"));
  EXPECT_EQ(text(file), "old");
}

TEST(MappedFile, EmptyFileGivesNoBytes) {
  const TemporaryFolder folder;
  write_bytes(folder.file("empty"), "");
  EXPECT_TRUE(MappedFile(folder.file("empty")).bytes().empty());
}

TEST(MappedFile, SaysWhyAFileCannotBeRead) {
  const TemporaryFolder folder;
  const std::string absent = folder.file("absent");
  expect_error(Errc::io, absent + ": No such file or directory", [&] { MappedFile{absent}; });
  expect_error(Errc::io, "not a regular file", [&] { MappedFile{folder.path()}; });
  expect_error(Errc::io, "not a regular file", [] { MappedFile{"/dev/zero"}; });
}

}  // namespace
}  // namespace structhash
