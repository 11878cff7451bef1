// .npz archives, written byte by byte as numpy.savez and savez_compressed do.
#include <gtest/gtest.h>

#include "data/files.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::labels_of;
using test::little;
using test::load;
using test::matrix;
using test::npy;
using test::TempFolder;

struct Member {
  std::string name;
  std::string bytes;
  bool deflated = false;
};

/// `in_64_bits`: sizes stand in extra fields, as in archives beyond 4 GiB.
std::string zip(const std::vector<Member>& members, bool in_64_bits = false) {
  std::string archive;
  std::string directory;
  for (const Member& member : members) {
    const std::string stored = member.deflated ? test::deflated(member.bytes, -15) : member.bytes;
    const auto checksum =
        static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(member.bytes.data()),
                                         static_cast<uInt>(member.bytes.size())));
    const auto offset = static_cast<std::uint64_t>(archive.size());
    const std::string sizes =
        in_64_bits ? little<std::uint32_t>({0xffffffffU, 0xffffffffU})
                   : little<std::uint32_t>({static_cast<std::uint32_t>(stored.size()),
                                            static_cast<std::uint32_t>(member.bytes.size())});
    const std::string extra =
        in_64_bits ? little<std::uint16_t>({1, 24}) +
                         little<std::uint64_t>({member.bytes.size(), stored.size(), offset})
                   : "";
    const std::uint16_t method = member.deflated ? 8 : 0;
    const auto name_size = static_cast<std::uint16_t>(member.name.size());
    const auto extra_size = static_cast<std::uint16_t>(extra.size());
    const std::string common = little<std::uint16_t>({45, 0, method, 0, 0}) +
                               little<std::uint32_t>({checksum}) + sizes +
                               little<std::uint16_t>({name_size, extra_size});
    archive += "PK\3\4" + common + member.name + extra + stored;
    directory +=
        "PK\1\2" + little<std::uint16_t>({45}) + common + little<std::uint16_t>({0, 0, 0}) +
        little<std::uint32_t>({0, in_64_bits ? 0xffffffffU : static_cast<std::uint32_t>(offset)}) +
        member.name + extra;
  }
  const auto start = static_cast<std::uint64_t>(archive.size());
  const auto count = static_cast<std::uint64_t>(members.size());
  archive += directory;
  if (in_64_bits) {
    const auto end64 = static_cast<std::uint64_t>(archive.size());
    archive += "PK\6\6" + little<std::uint64_t>({44}) + little<std::uint16_t>({45, 45}) +
               little<std::uint32_t>({0, 0}) +
               little<std::uint64_t>({count, count, directory.size(), start});
    archive += "PK\6\7" + little<std::uint32_t>({0}) + little<std::uint64_t>({end64}) +
               little<std::uint32_t>({1});
  }
  return archive + "PK\5\6" + little<std::uint16_t>({0, 0}) +
         little<std::uint16_t>(
             {static_cast<std::uint16_t>(count), static_cast<std::uint16_t>(count)}) +
         little<std::uint32_t>({static_cast<std::uint32_t>(directory.size()),
                                in_64_bits ? 0xffffffffU : static_cast<std::uint32_t>(start)}) +
         little<std::uint16_t>({0});
}

const std::string kX = npy("<f4", false, "(2, 2)", little<float>({1, 2, 3, 4}));
const std::string kY = npy("<i8", false, "(2,)", little<std::int64_t>({7, 8}));

TEST(Npz, ArraysByNameAndTheOnlyTable) {
  const TempFolder folder;
  for (const bool deflated : {false, true}) {
    for (const bool in_64_bits : {false, true}) {
      const std::string file = folder.write(
          "d.npz", zip({{"x.npy", kX, deflated}, {"y.npy", kY, deflated}}, in_64_bits));
      EXPECT_EQ(load(file), matrix({{1, 2}, {3, 4}}));
      EXPECT_EQ(load(file + ":x"), matrix({{1, 2}, {3, 4}}));
      EXPECT_EQ(labels_of(file + ":y").classes, (std::vector<int>{7, 8}));
    }
  }
  EXPECT_EQ(labels_of(folder.write("y.npz", zip({{"arr_0.npy", kY}}))).classes,
            (std::vector<int>{7, 8}));
  const std::string objects = npy("|O", false, "(2, 2)", "pickle");  // beside the table
  EXPECT_EQ(load(folder.write("o.npz", zip({{"o.npy", objects}, {"x.npy", kX}}))).rows(), 2);
}

TEST(Npz, ErrorsListTheArrays) {
  const TempFolder folder;
  const std::string file = folder.write("d.npz", zip({{"x.npy", kX}, {"z.npy", kX}}));
  expect_error(Errc::bad_data, {"name the array", "x z"}, [&] { load(file); });
  expect_error(Errc::bad_data, {"no array 'q'", "x z"}, [&] { load(file + ":q"); });
  expect_error(Errc::corrupt_file, {"not a zip archive"}, [&] { load(folder.write("d.npz", kX)); });
}

TEST(Npz, EveryTruncationAndDamagedBytesAreErrorsNotCrashes) {
  const TempFolder folder;
  const std::string whole = zip({{"x.npy", kX, true}});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(load(folder.write("d.npz", whole.substr(0, size))), Error) << size;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    try {
      EXPECT_EQ(load(folder.write("d.npz", damaged)), matrix({{1, 2}, {3, 4}})) << at;
    } catch (const Error&) {  // refused: fine
    }
  }
}

}  // namespace
}  // namespace structhash
