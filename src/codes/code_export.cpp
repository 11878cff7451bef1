#include "codes/code_export.hpp"

namespace structhash {
namespace {

unsigned reversed(unsigned byte) {
  byte = (byte & 0xF0U) >> 4U | (byte & 0x0FU) << 4U;
  byte = (byte & 0xCCU) >> 2U | (byte & 0x33U) << 2U;
  return (byte & 0xAAU) >> 1U | (byte & 0x55U) << 1U;
}

unsigned byte_at(CodeView code, Index byte, BitOrder order) {
  const std::uint64_t word = code[static_cast<std::size_t>(byte / 8)];
  const auto value = static_cast<unsigned>(word >> static_cast<unsigned>(byte % 8 * 8)) & 0xFFU;
  return order == BitOrder::little ? value : reversed(value);
}

Index byte_count(Index bits) {
  return (bits + 7) / 8;
}

}  // namespace

void append_bytes(CodeView code, Index bits, BitOrder order, std::string& out) {
  for (Index byte = 0; byte < byte_count(bits); ++byte) {
    out += static_cast<char>(byte_at(code, byte, order));
  }
}

void append_signed_bytes(CodeView code, Index bits, std::string& out) {
  for (Index byte = 0; byte < byte_count(bits); ++byte) {
    out += static_cast<char>(byte_at(code, byte, BitOrder::big) ^ 0x80U);
  }
}

void append_hex(CodeView code, Index bits, BitOrder order, std::string& out) {
  constexpr char digits[] = "0123456789abcdef";
  for (Index byte = 0; byte < byte_count(bits); ++byte) {
    const unsigned value = byte_at(code, byte, order);
    out += digits[value >> 4U];
    out += digits[value & 0xFU];
  }
}

void append_bit_text(CodeView code, Index bits, std::string& out) {
  for (Index bit = 0; bit < bits; ++bit) {
    const std::uint64_t word = code[static_cast<std::size_t>(bit / 64)];
    out += ((word >> static_cast<unsigned>(bit % 64)) & 1U) != 0 ? '1' : '0';
  }
}

}  // namespace structhash
