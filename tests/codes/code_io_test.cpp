#include "structhash/codes/code_io.hpp"

#include <gtest/gtest.h>

#include "structhash/core/rng.hpp"
#include "support/damage.hpp"
#include "support/expect_error.hpp"
#include "support/forge.hpp"
#include "support/temporary_folder.hpp"

namespace structhash {
namespace {

using test::expect_error;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

CodeMatrix random_codes(Index rows, Index bits) {
  Rng rng(Seed{11});
  CodeMatrix codes(rows, bits);
  for (Index row = 0; row < rows; ++row) {
    for (Index bit = 0; bit < bits; ++bit) {
      codes.set(row, bit, rng.uniform() < 0.5);
    }
  }
  return codes;
}

std::string file_of(const CodeMatrix& codes) {
  const TemporaryFolder folder;
  save_codes(codes, folder.file("codes"), "0123456789abcdef");
  return read_bytes(folder.file("codes"));
}

void expect_refused(const std::string& bytes, const std::string& words) {
  const TemporaryFolder folder;
  write_bytes(folder.file("forged"), bytes);
  expect_error(Errc::corrupt_file, words, [&] { load_codes(folder.file("forged")); });
}

TEST(CodeIo, RoundTripOfAnyLength) {
  const TemporaryFolder folder;
  for (const Index bits : {1, 7, 64, 65, 130}) {
    for (const Index rows : {0, 1, 9}) {
      const CodeMatrix codes = random_codes(rows, bits);
      save_codes(codes, folder.file("codes"));
      EXPECT_EQ(load_codes(folder.file("codes")), codes);
    }
  }
}

TEST(CodeIo, MappedCodesAreTheSameWordsOnAlignedMemory) {
  const TemporaryFolder folder;
  const CodeMatrix codes = random_codes(5, 130);
  save_codes(codes, folder.file("codes"), "0123456789abcdef");
  const MappedCodes mapped(folder.file("codes"));
  EXPECT_EQ(mapped.rows(), 5);
  EXPECT_EQ(mapped.bits(), 130);
  EXPECT_EQ(mapped.model(), "0123456789abcdef");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mapped.words().data()) % 64, 0U);
  for (Index row = 0; row < 5; ++row) {
    EXPECT_TRUE(std::ranges::equal(mapped.row(row), codes.row(row)));
  }
}

TEST(CodeIo, BlocksGiveTheBytesOfTheWhole) {
  const TemporaryFolder folder;
  const CodeMatrix codes = random_codes(10, 70);
  CodeFileWriter writer(folder.file("blocks"), 70, "0123456789abcdef");
  for (const auto& [begin, end] : {std::pair{0, 3}, std::pair{3, 3}, std::pair{3, 10}}) {
    const auto words = codes.words().subspan(static_cast<std::size_t>(begin) * 2,
                                             static_cast<std::size_t>(end - begin) * 2);
    writer.append(CodeMatrix(end - begin, 70, {words.begin(), words.end()}));
  }
  EXPECT_EQ(writer.rows(), 10);
  writer.finish();
  EXPECT_EQ(read_bytes(folder.file("blocks")), file_of(codes));
}

TEST(CodeIo, HeaderStatesTheConventions) {
  const TemporaryFolder folder;
  save_codes(CodeMatrix(2, 24), folder.file("codes"));
  EXPECT_EQ(describe_file(folder.file("codes")).header,
            R"({"bit_order":"lsb-first","bits":24,"rows":2,"threshold":"value > 0"})");
}

TEST(CodeIo, GoldenVectorIsStoredAsDocumented) {
  CodeMatrix codes(1, 24);
  for (const Index bit : {0, 3, 9, 23}) {
    codes.set(0, bit, true);
  }
  EXPECT_EQ(file_of(codes).substr(64, 8), std::string("\x09\x02\x80\0\0\0\0\0", 8));
}

TEST(CodeIo, EveryDamageIsRefused) {
  test::expect_every_damage_refused(file_of(random_codes(3, 70)),
                                    [](const std::string& path) { load_codes(path); });
}

TEST(CodeIo, LyingHeadersAreRefused) {
  const std::string good = file_of(random_codes(3, 70));
  const auto with = [&](const std::string& bits, const std::string& rows, const std::string& order,
                        const std::string& threshold) {
    return test::forge_header(good, R"({"bits":)" + bits + R"(,"rows":)" + rows +
                                        R"(,"bit_order":)" + order + R"(,"threshold":)" +
                                        threshold + "}");
  };
  const std::string order = R"("lsb-first")";
  const std::string rule = R"("value > 0")";
  for (const char* bits : {"0", "1", "64", "129", "9223372036854775807"}) {
    expect_refused(with(bits, "3", order, rule), "holds 3 of 2 words");
  }
  for (const char* rows : {"0", "1", "4", "9223372036854775807"}) {
    expect_refused(with("70", rows, order, rule), "holds 3 of 2 words");
  }
  for (const char* no_count : {"-1", "2.5", "\"70\"", "18446744073709551615", "null"}) {
    expect_refused(with(no_count, "3", order, rule),
                   "header: \"bits\" must be a whole number of 0 or more, got ");
    expect_refused(with("70", no_count, order, rule),
                   "header: \"rows\" must be a whole number of 0 or more, got ");
  }
  expect_refused(with("70", "3", R"("msb-first")", rule),
                 "\"bit_order\" must be \"lsb-first\", got \"msb-first\"");
  expect_refused(with("70", "3", "1", rule), "\"bit_order\" must be a string, got 1");
  expect_refused(with("70", "3", order, R"("value >= 0")"),
                 "\"threshold\" must be \"value > 0\", got \"value >= 0\"");
  expect_refused(test::forge_header(good, "{}"), "header: \"bit_order\" is missing");
  expect_refused(with("66", "3", order, rule), "bits after the last of its 66 bits");
}

TEST(CodeIo, OtherKindsOfFileAreRefused) {
  const TemporaryFolder folder;
  ContainerWriter writer(folder.file("other"), "model");
  writer.commit("{}");
  expect_error(Errc::corrupt_file, "kind 'model', not 'codes'",
               [&] { load_codes(folder.file("other")); });
}

TEST(CodeIo, WriterChecksItsBlocks) {
  const TemporaryFolder folder;
  expect_error(Errc::usage, "at least one bit", [&] { CodeFileWriter(folder.file("x"), 0); });
  CodeFileWriter writer(folder.file("x"), 64);
  expect_error(Errc::usage, "codes of 65 bits", [&] { writer.append(CodeMatrix(1, 65)); });
  CodeMatrix dirty(1, 3);
  dirty.mutable_words()[0] = 8;
  CodeFileWriter short_codes(folder.file("y"), 3);
  expect_error(Errc::usage, "must be zero", [&] { short_codes.append(dirty); });
  expect_error(Errc::io, "No such file", [&] { save_codes(CodeMatrix(1, 3), "/nonexistent/x"); });
}

}  // namespace
}  // namespace structhash
