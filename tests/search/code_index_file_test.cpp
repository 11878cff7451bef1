#include <gtest/gtest.h>

#include <cstring>

#include "search/random_search.hpp"
#include "structhash/search/code_index.hpp"
#include "support/damage.hpp"
#include "support/expect_error.hpp"
#include "support/forge.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

using Ids = std::vector<std::int64_t>;

CodeIndex small_index() {
  Rng rng(Seed{5});
  CodeIndex index({.bits = 12, .bit_weights = std::vector<float>(12, 0.5F), .model = "abc"});
  index.add(clustered_codes(3, uniform_codes(3, 12, rng), 0.5, rng), Ids{9, 2, 5});
  index.prepare();
  return index;
}

std::string file_of(const CodeIndex& index) {
  const TemporaryFolder folder;
  index.save(folder.file("index"));
  return read_bytes(folder.file("index"));
}

void expect_refused(const std::string& bytes, const std::string& words) {
  const TemporaryFolder folder;
  write_bytes(folder.file("forged"), bytes);
  for (const Verify verify : {Verify::everything, Verify::all_but_large}) {
    expect_error(Errc::corrupt_file, words,
                 [&] { CodeIndex::load(folder.file("forged"), verify); });
  }
}

template <typename T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

TEST(CodeIndexFile, RoundTripKeepsEverything) {
  const TemporaryFolder folder;
  const CodeIndex index = small_index();
  index.save(folder.file("index"));
  const CodeIndex loaded = CodeIndex::load(folder.file("index"));
  EXPECT_EQ(loaded.ids(), (Ids{2, 5, 9}));
  EXPECT_EQ(loaded.reconstruct(Ids{9, 2, 5}), index.reconstruct(Ids{9, 2, 5}));
  EXPECT_EQ(loaded.settings().bit_weights, index.settings().bit_weights);
  EXPECT_EQ(loaded.settings().model, "abc");
  EXPECT_TRUE(loaded.prepared());
  EXPECT_EQ(file_of(loaded), file_of(index));
}

TEST(CodeIndexFile, EmptyIndexesAreFilesToo) {
  const TemporaryFolder folder;
  CodeIndex index({.bits = 70});
  index.save(folder.file("index"));
  EXPECT_EQ(CodeIndex::load(folder.file("index")).size(), 0);
  index.prepare();
  index.save(folder.file("index"));
  EXPECT_TRUE(CodeIndex::load(folder.file("index")).prepared());
}

TEST(CodeIndexFile, EveryDamageIsRefused) {
  const std::string bytes = file_of(small_index());
  for (const Verify verify : {Verify::everything, Verify::all_but_large}) {
    test::expect_every_damage_refused(
        bytes, [&](const std::string& path) { CodeIndex::load(path, verify); });
  }
}

TEST(CodeIndexFile, LyingContentIsRefused) {
  const std::string good = file_of(small_index());  // words, ids, weights, starts, rows
  const auto forge = [&](std::size_t section, std::size_t at, const auto& value) {
    return test::forge_section(good, section, at, bytes_of(value));
  };
  expect_refused(forge(0, 0, std::uint64_t{1} << 12U), "must be zero");
  expect_refused(forge(1, 8, std::int64_t{2}), "ascending");
  expect_refused(forge(1, 0, std::int64_t{-1}), "ascending");
  expect_refused(forge(2, 4, -1.0F), "weight of bit 1");
  expect_refused(forge(3, 4, std::uint32_t{9}), "tables");
  expect_refused(forge(4, 0, std::uint32_t{3}), "tables");
  const std::string rest =
      R"("bit_order":"lsb-first","threshold":"value > 0","distance":"weighted","ids":"own")";
  const auto header = [&](const std::string& numbers, const std::string& others) {
    return test::forge_header(good, "{" + numbers + "," + others + "}");
  };
  expect_refused(header(R"("bits":12,"rows":4,"substrings":3)", rest), "section 'words' is 3 x 1");
  expect_refused(header(R"("bits":70,"rows":3,"substrings":3)", rest), "section 'bit-weights' is");
  expect_refused(header(R"("bits":0,"rows":3,"substrings":3)", rest), "no bits");
  for (const char* count : {"1", "2", "13", "9223372036854775807"}) {
    expect_refused(header(R"("bits":12,"rows":3,"substrings":)" + std::string(count), rest),
                   "tables");
  }
  std::string other = rest;
  other.replace(other.find("own"), 3, "odd");
  expect_refused(header(R"("bits":12,"rows":3,"substrings":3)", other), "\"ids\"");
}

TEST(CodeIndexFile, LargeArraysAreNotReadBeforeTheyAreNeeded) {
  const TemporaryFolder folder;
  CodeIndex index({.bits = 64});
  index.add(CodeMatrix(200'000, 64));  // 1.6 MB of codes
  index.save(folder.file("index"));
  std::string bytes = read_bytes(folder.file("index"));
  bytes[1'000'000] ^= 1;
  write_bytes(folder.file("index"), bytes);
  EXPECT_NO_THROW(CodeIndex::load(folder.file("index")));
  expect_error(Errc::corrupt_file, "section 'words' does not match its checksum",
               [&] { CodeIndex::load(folder.file("index"), Verify::everything); });
  EXPECT_FALSE(describe_file(folder.file("index")).intact);
}

TEST(CodeIndexFile, UncheckedDamageOfTablesCannotCrash) {
  const TemporaryFolder folder;
  Rng rng(Seed{8});
  CodeIndex index({.bits = 64});
  index.add(clustered_codes(300'000, uniform_codes(300, 64, rng), 0.02, rng));
  index.prepare(2);
  index.save(folder.file("index"));
  const std::string good = read_bytes(folder.file("index"));
  const auto sections = describe_file(folder.file("index")).sections;
  const CodeMatrix query = index.reconstruct(Ids{1, 2, 3, 4, 5});
  for (const SectionStatus& entry : sections) {
    std::string bytes = good;
    for (std::uint64_t at = 0; at < entry.section.bytes(); at += 4) {
      bytes[entry.section.offset + at] = static_cast<char>(rng.next());
      bytes[entry.section.offset + at + 3] = static_cast<char>(rng.next());
    }
    write_bytes(folder.file("index"), bytes);
    try {  // a wrong answer or an error, but nothing worse
      CodeIndex::load(folder.file("index"))
          .nearest(query, 10, {.threads = 1, .engine = EngineChoice::multi_index, .only = nullptr});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::corrupt_file);
    }
  }
}

TEST(CodeIndexFile, GoldenFileStaysReadable) {  // tests/golden/README.md
  const std::string golden = test::in_repository("tests/golden/format-1.0/index.shi");
  const CodeIndex index = CodeIndex::load(golden, Verify::everything);
  EXPECT_EQ(index.bits(), 24);
  EXPECT_EQ(index.ids(), (Ids{5, 900}));
  EXPECT_EQ(index.reconstruct(Ids{5}).words()[0], 0x800209U);  // bits 0, 3, 9 and 23
  EXPECT_EQ(index.reconstruct(Ids{900}).words()[0], 0x02U);
  ASSERT_TRUE(index.prepared());
  // Bit i weighs (i mod 4) / 4: the codes differ in the bits 0, 1, 3, 9 and 23.
  for (const auto engine : {EngineChoice::scan, EngineChoice::multi_index}) {
    const SearchResult found = index.nearest(index.reconstruct(Ids{5}), 2,
                                             {.threads = 1, .engine = engine, .only = nullptr});
    EXPECT_EQ(found.ids, (Ids{5, 900}));
    EXPECT_EQ(found.distances, (std::vector<float>{0.0F, 0.25F + 0.75F + 0.25F + 0.75F}));
  }
  EXPECT_EQ(file_of(index), read_bytes(golden));  // and is written in the same way
}

}  // namespace
}  // namespace structhash
