#include "codes/code_export.hpp"

#include <gtest/gtest.h>

namespace structhash {
namespace {

template <typename Append, typename... More>
std::string exported(const CodeMatrix& codes, Append append, More... more) {
  std::string out;
  append(codes.row(0), codes.bits(), more..., out);
  return out;
}

TEST(CodeExport, BitsBehindTheLastAreZeroInBothOrders) {
  CodeMatrix codes(1, 67);  // bits 0, 1, 64 and 66
  for (const Index bit : {0, 1, 64, 66}) {
    codes.set(0, bit, true);
  }
  const std::string zeros(7, '\0');
  EXPECT_EQ(exported(codes, append_bytes, BitOrder::little), "\x03" + zeros + "\x05");
  EXPECT_EQ(exported(codes, append_bytes, BitOrder::big), "\xC0" + zeros + "\xA0");
  EXPECT_EQ(exported(codes, append_hex, BitOrder::little), "030000000000000005");
  EXPECT_EQ(exported(codes, append_bit_text), "11" + std::string(62, '0') + "101");
}

TEST(CodeExport, SignedBytesAreUnsignedOnesLess128) {
  for (int byte = 0; byte < 256; ++byte) {
    CodeMatrix codes(1, 8);
    codes.mutable_words()[0] = static_cast<std::uint64_t>(byte);
    const auto big = static_cast<unsigned char>(exported(codes, append_bytes, BitOrder::big)[0]);
    EXPECT_EQ(static_cast<signed char>(exported(codes, append_signed_bytes)[0]), big - 128);
  }
}

}  // namespace
}  // namespace structhash
