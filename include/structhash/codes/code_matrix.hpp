#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "structhash/core/types.hpp"

/// Packed binary codes: bit i of a code is bit (i mod 64) of word i / 64, least significant first.
namespace structhash {

using CodeView = std::span<const std::uint64_t>;  // the words of one code

/// n codes of `bits` bits, row-major, whole words per code.  Invariant: padding bits are zero.
class CodeMatrix {
 public:
  CodeMatrix() = default;
  CodeMatrix(Index rows, Index bits);
  /// From packed words; throws unless the sizes match and padding bits are zero.
  CodeMatrix(Index rows, Index bits, std::vector<std::uint64_t> words);

  Index rows() const { return rows_; }
  Index bits() const { return bits_; }
  Index words_per_code() const { return (bits_ + 63) / 64; }
  CodeView row(Index i) const {
    return {words_.data() + i * words_per_code(), static_cast<std::size_t>(words_per_code())};
  }
  std::span<const std::uint64_t> words() const { return words_; }
  /// For encoders, which write whole words and must keep the padding zero.
  std::span<std::uint64_t> mutable_words() { return words_; }

  bool bit(Index row, Index bit) const {
    const std::uint64_t word = words_[static_cast<std::size_t>(row * words_per_code() + bit / 64)];
    return ((word >> static_cast<unsigned>(bit % 64)) & 1U) != 0;
  }
  void set(Index row, Index bit, bool value);

  bool operator==(const CodeMatrix&) const = default;

 private:
  Index rows_ = 0;
  Index bits_ = 0;
  std::vector<std::uint64_t> words_;
};

/// The codes of some rows, in the order given.
CodeMatrix select(const CodeMatrix& codes, std::span<const Index> rows);

/// The first `count` bits of every code, 1 to codes.bits().
CodeMatrix first_bits(const CodeMatrix& codes, Index count);
/// Of one code, as whole words with zero padding.
std::vector<std::uint64_t> first_bits(CodeView code, Index count);

/// Throws Errc::usage naming the first code (1-based) with a padding bit that is not zero.
void require_zero_padding(std::span<const std::uint64_t> words, Index bits);

}  // namespace structhash
