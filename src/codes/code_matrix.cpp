#include "structhash/codes/code_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

std::size_t word_count(Index rows, Index bits) {
  require(rows >= 0, "the number of codes must not be negative");
  require(bits >= 1, "a code needs at least one bit");
  const Index words_per_code = bits / 64 + (bits % 64 != 0 ? 1 : 0);
  const Index max_words = std::numeric_limits<Index>::max() / 8;  // their bytes must fit an Index
  require(rows <= max_words / words_per_code, "too many codes for this address space");
  return static_cast<std::size_t>(rows * words_per_code);
}

}  // namespace

CodeMatrix::CodeMatrix(Index rows, Index bits)
    : rows_(rows), bits_(bits), words_(word_count(rows, bits)) {}

CodeMatrix::CodeMatrix(Index rows, Index bits, std::vector<std::uint64_t> words)
    : rows_(rows), bits_(bits), words_(std::move(words)) {
  const std::size_t expected = word_count(rows, bits);
  require(words_.size() == expected, fmt::format("{} codes of {} bits need {} words, not {}", rows,
                                                 bits, expected, words_.size()));
  require_zero_padding(words_, bits);
}

void CodeMatrix::set(Index row, Index bit, bool value) {
  require(row >= 0 && row < rows_ && bit >= 0 && bit < bits_, "no such bit in these codes");
  const std::uint64_t mask = std::uint64_t{1} << static_cast<unsigned>(bit % 64);
  std::uint64_t& word = words_[static_cast<std::size_t>(row * words_per_code() + bit / 64)];
  word = value ? word | mask : word & ~mask;
}

void require_zero_padding(std::span<const std::uint64_t> words, Index bits) {
  const Index used = bits % 64;
  if (used == 0) {
    return;
  }
  const std::uint64_t padding = ~std::uint64_t{0} << static_cast<unsigned>(used);
  const auto step = static_cast<std::size_t>((bits + 63) / 64);
  for (std::size_t last = step - 1; last < words.size(); last += step) {
    if ((words[last] & padding) != 0) {
      fail(Errc::usage, fmt::format("code {}: bits after the last of its {} bits must be zero",
                                    last / step + 1, bits));
    }
  }
}

std::vector<std::uint64_t> first_bits(CodeView code, Index count) {
  const auto words = static_cast<std::size_t>((count + 63) / 64);
  require(count >= 1 && words <= code.size(), "first_bits: the code is shorter than that");
  std::vector<std::uint64_t> first(code.begin(), code.begin() + static_cast<Index>(words));
  if (count % 64 != 0) {
    first.back() &= ~(~std::uint64_t{0} << static_cast<unsigned>(count % 64));
  }
  return first;
}

CodeMatrix first_bits(const CodeMatrix& codes, Index count) {
  require(count >= 1 && count <= codes.bits(),
          fmt::format("bits must be 1 to {}, the bits of the codes, got {}", codes.bits(), count));
  CodeMatrix shorter(codes.rows(), count);
  auto out = shorter.mutable_words().begin();
  for (Index row = 0; row < codes.rows(); ++row) {
    out = std::ranges::copy(first_bits(codes.row(row), count), out).out;
  }
  return shorter;
}

CodeMatrix select(const CodeMatrix& codes, std::span<const Index> rows) {
  CodeMatrix chosen(static_cast<Index>(rows.size()), codes.bits());
  auto out = chosen.mutable_words().begin();
  for (const Index row : rows) {
    out = std::ranges::copy(codes.row(row), out).out;
  }
  return chosen;
}

}  // namespace structhash
