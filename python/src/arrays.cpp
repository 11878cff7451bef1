#include "arrays.hpp"

#include <bit>
#include <cstring>

#include "structhash/core/error.hpp"

namespace structhash::python {

static_assert(std::endian::native == std::endian::little, "words are copied as bytes");

PackedCodes::PackedCodes(const Rows<std::uint8_t>& bytes, Index bits) {
  const auto rows = static_cast<Index>(bytes.shape(0));
  const auto width = static_cast<Index>(bytes.shape(1));
  require(width == bytes_per_code(bits), "codes of " + std::to_string(bits) + " bits must have " +
                                             std::to_string(bytes_per_code(bits)) +
                                             " bytes each, got " + std::to_string(width) +
                                             " bytes");
  const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % sizeof(std::uint64_t) == 0;
  if (bits % 64 == 0 && aligned) {
    span_ = {{reinterpret_cast<const std::uint64_t*>(bytes.data()),
              static_cast<std::size_t>(rows * (bits / 64))},
             rows,
             bits};
    return;
  }
  const Index words_per_code = (bits + 63) / 64;
  std::vector<std::uint64_t> words(static_cast<std::size_t>(rows * words_per_code));
  for (Index row = 0; row < rows; ++row) {
    std::memcpy(words.data() + row * words_per_code, bytes.data() + row * width,
                static_cast<std::size_t>(width));
  }
  copy_ = CodeMatrix(rows, bits, std::move(words));
  span_ = copy_;
}

CodeSpan PackedCodes::part(Index first, Index count) const {
  const auto words = static_cast<std::size_t>(span_.words_per_code());
  return {span_.words.subspan(static_cast<std::size_t>(first) * words,
                              static_cast<std::size_t>(count) * words),
          count, span_.bits};
}

CodeMatrix PackedCodes::matrix() const {
  return {span_.rows, span_.bits,
          std::vector<std::uint64_t>(span_.words.begin(), span_.words.end())};
}

void write_bytes(const CodeMatrix& codes, std::uint8_t* out) {
  const auto width = static_cast<std::size_t>(bytes_per_code(codes.bits()));
  if (codes.bits() % 64 == 0) {
    std::memcpy(out, codes.words().data(), codes.words().size_bytes());
    return;
  }
  for (Index row = 0; row < codes.rows(); ++row) {
    std::memcpy(out + static_cast<std::size_t>(row) * width, codes.row(row).data(), width);
  }
}

}  // namespace structhash::python
