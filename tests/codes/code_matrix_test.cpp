#include "structhash/codes/code_matrix.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "support/expect_error.hpp"

namespace structhash {
namespace {

using test::expect_error;

TEST(CodeMatrix, GoldenVectorHasTheDocumentedBytes) {
  // docs/format.md: bits 0, 3, 9 and 23 of a 24-bit code are the bytes 09 02 80, the word 0x800209.
  CodeMatrix codes(1, 24);
  for (const Index bit : {0, 3, 9, 23}) {
    codes.set(0, bit, true);
  }
  EXPECT_EQ(codes.words()[0], 8389129U);
  unsigned char bytes[8];
  std::memcpy(bytes, codes.words().data(), sizeof(bytes));
  const unsigned char expected[8] = {0x09, 0x02, 0x80, 0, 0, 0, 0, 0};
  EXPECT_EQ(std::memcmp(bytes, expected, sizeof(bytes)), 0);
}

TEST(CodeMatrix, SetAndBitAgreeAcrossWords) {
  for (const Index bits : {1, 7, 63, 64, 65, 130}) {
    SCOPED_TRACE(bits);
    CodeMatrix codes(3, bits);
    EXPECT_EQ(codes.words_per_code(), (bits + 63) / 64);
    for (Index row = 0; row < 3; ++row) {
      for (Index bit = 0; bit < bits; ++bit) {
        codes.set(row, bit, (row + bit) % 3 == 0);
      }
    }
    codes.set(1, bits - 1, true);
    codes.set(1, bits - 1, false);
    for (Index row = 0; row < 3; ++row) {
      for (Index bit = 0; bit < bits; ++bit) {
        const bool cleared = row == 1 && bit == bits - 1;
        EXPECT_EQ(codes.bit(row, bit), !cleared && (row + bit) % 3 == 0);
        EXPECT_EQ((codes.row(row)[static_cast<std::size_t>(bit / 64)] >> (bit % 64)) & 1U,
                  codes.bit(row, bit) ? 1U : 0U);
      }
    }
    EXPECT_NO_THROW(require_zero_padding(codes.words(), bits));
  }
}

TEST(CodeMatrix, TakesWordsOnlyIfTheyFit) {
  EXPECT_EQ(CodeMatrix(2, 3, {5, 7}).bit(1, 1), true);
  expect_error(Errc::usage, "2 codes of 65 bits need 4 words, not 3",
               [] { CodeMatrix(2, 65, {0, 0, 0}); });
  expect_error(Errc::usage, "code 2: bits after the last of its 3 bits",
               [] { CodeMatrix(2, 3, {7, 8}); });
  expect_error(Errc::usage, "at least one bit", [] { CodeMatrix(2, 0); });
  expect_error(Errc::usage, "negative", [] { CodeMatrix(-1, 8); });
  expect_error(Errc::usage, "too many codes",
               [] { CodeMatrix(std::numeric_limits<Index>::max() / 2, 64); });
  expect_error(Errc::usage, "too many codes",
               [] { CodeMatrix(1000, std::numeric_limits<Index>::max()); });
}

TEST(CodeMatrix, FirstBitsAreTheSameBits) {
  for (const Index bits : {1, 63, 64, 65, 130}) {
    CodeMatrix codes(5, bits);
    for (Index row = 0; row < 5; ++row) {
      for (Index bit = 0; bit < bits; ++bit) {
        codes.set(row, bit, (row + bit * bit) % 3 != 0);
      }
    }
    for (const Index count : {Index{1}, bits / 2 + 1, bits}) {
      const CodeMatrix first = first_bits(codes, count);
      ASSERT_EQ(first.bits(), count);
      EXPECT_NO_THROW(require_zero_padding(first.words(), count));
      for (Index row = 0; row < 5; ++row) {
        for (Index bit = 0; bit < count; ++bit) {
          ASSERT_EQ(first.bit(row, bit), codes.bit(row, bit));
        }
      }
    }
    expect_error(Errc::usage, "bits must be 1 to", [&] { first_bits(codes, bits + 1); });
    expect_error(Errc::usage, "got 0", [&] { first_bits(codes, 0); });
  }
}

TEST(CodeMatrix, SetChecksItsArguments) {
  CodeMatrix codes(2, 10);
  expect_error(Errc::usage, "no such bit", [&] { codes.set(2, 0, true); });
  expect_error(Errc::usage, "no such bit", [&] { codes.set(0, 10, true); });
  expect_error(Errc::usage, "no such bit", [&] { codes.set(0, -1, true); });
}

}  // namespace
}  // namespace structhash
