#include "core/text_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace structhash {
namespace {

TEST(TextFile, WholeFile) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.txt");
  std::ofstream(path) << "two\nlines";
  EXPECT_EQ(read_text(path), "two\nlines");
  std::ofstream(path, std::ios::trunc);
  EXPECT_EQ(read_text(path), "");
}

TEST(TextFile, WhatCannotBeReadIsNamedWithTheReason) {
  const test::TemporaryFolder folder;
  const std::string missing = folder.file("missing");
  test::expect_error(Errc::io, "No such file", [&] { read_text(missing); });
  test::expect_error(Errc::io, missing, [&] { read_text(missing); });
  test::expect_error(Errc::io, "it is a folder", [&] { read_text(folder.path()); });
}

}  // namespace
}  // namespace structhash
