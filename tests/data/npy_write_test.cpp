#include "data/npy_write.hpp"

#include <gtest/gtest.h>

#include <iterator>

#include "data/files.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

using test::little;
using test::npy;
using test::TempFolder;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(SaveNpy, WritesTheBytesOfTheDefinition) {
  const TempFolder folder;
  const std::string path = folder.path("x.npy");
  save_npy(path, Matrix<float>{{1.5F, -2}, {3, 4}});
  EXPECT_EQ(bytes_of(path), npy("<f4", false, "(2, 2)", little<float>({1.5F, -2, 3, 4})));
  save_npy(path, Matrix<std::int32_t>{{1, -2, 3}});
  EXPECT_EQ(bytes_of(path), npy("<i4", false, "(1, 3)", little<std::int32_t>({1, -2, 3})));
  save_npy(path, Matrix<std::int64_t>{{1LL << 40}, {-1}});
  EXPECT_EQ(bytes_of(path), npy("<i8", false, "(2, 1)", little<std::int64_t>({1LL << 40, -1})));
  save_npy(path, Matrix<std::uint8_t>{{255, 0}});
  EXPECT_EQ(bytes_of(path), npy("|u1", false, "(1, 2)", little<std::uint8_t>({255, 0})));
  save_npy(path, Matrix<float>(0, 3));
  EXPECT_EQ(bytes_of(path), npy("<f4", false, "(0, 3)", ""));
}

TEST(SaveNpy, HeadersFillWholeBlocks) {  // whatever the number of digits, the numbers are aligned
  const TempFolder folder;
  for (Index columns = 1; columns <= 100'000; columns *= 10) {
    const Matrix<float> x = Matrix<float>::Random(2, columns);
    save_npy(folder.path("x.npy"), x);
    EXPECT_EQ(test::load(folder.path("x.npy")), x);
    EXPECT_EQ(
        (std::filesystem::file_size(folder.path("x.npy")) - 8U * static_cast<unsigned>(columns)) %
            64,
        0U);
  }
}

TEST(SaveNpy, FailsWithoutLeavingAnything) {
  const TempFolder folder;
  test::expect_error(Errc::io, {"none"},
                     [&] { save_npy(folder.path("none/x.npy"), Matrix<float>{{1}}); });
  EXPECT_FALSE(std::filesystem::exists(folder.path("none")));
}

TEST(NpyWriter, RowsArriveInPieces) {
  const TempFolder folder;
  const std::string path = folder.path("x.npy");
  const Matrix<float> x = Matrix<float>::Random(5, 3);
  NpyWriter writer(path, "<f4", sizeof(float), 3);
  writer.append(std::as_bytes(std::span(x.data(), 6)));
  writer.append({});
  writer.append(std::as_bytes(std::span(x.data() + 6, 9)));
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(writer.rows(), 5);
  writer.finish();
  EXPECT_EQ(test::load(path), x);
  EXPECT_THROW(NpyWriter(path, "<f4", 4, 3).append(std::as_bytes(std::span(x.data(), 4))), Error);
  EXPECT_THROW(NpyWriter(path, "<f4", 4, 0), Error);
  EXPECT_EQ(test::load(path), x);  // what was not finished has changed nothing
}

}  // namespace
}  // namespace structhash
