#include "structhash/hashing/encoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "hashing/linear_signs.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kBlockRows = 256;  // large enough for BLAS, small enough for the cache

/// Bit i of the result is [ values[i] > 0 ], for up to 64 values.  Comparisons go to bytes, which
/// the compiler vectorises; one product then moves the lowest bits of eight bytes into its top
/// byte: bit 8 k times 2^(56 - 7 k) is bit 56 + k, and no two products meet.
std::uint64_t pack_signs(std::span<const float> values) {
  std::array<std::uint8_t, 64> positive{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    positive[i] = values[i] > 0.0F ? 1 : 0;
  }
  std::uint64_t word = 0;
  for (unsigned byte = 0; byte < 8; ++byte) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, positive.data() + 8 * byte, 8);
    word |= (eight * 0x0102040810204080U >> 56U) << (8 * byte);
  }
  return word;
}

void check_dimension(const Encoder& encoder, const MatrixView& x) {
  if (x.cols() != encoder_dimension(encoder)) {
    fail(Errc::bad_data, fmt::format("features have {} columns; this model expects {}", x.cols(),
                                     encoder_dimension(encoder)));
  }
}

/// Calls use(begin, values of rows begin..) for every block of rows.
template <typename Use>
void for_each_block(const Encoder& encoder, const MatrixView& x, int threads, const Use& use) {
  check_dimension(encoder, x);
  parallel_for(x.rows(), threads, kBlockRows, [&](Index begin, Index end) {
    const auto block = x.middleRows(begin, end - begin);
    use(begin, std::visit([&](const auto& part) { return part.values(block); }, encoder));
  });
}

}  // namespace

Index encoder_bits(const Encoder& encoder) {
  return std::visit([](const auto& part) { return part.bits(); }, encoder);
}

Index encoder_dimension(const Encoder& encoder) {
  return std::visit([](const auto& part) { return part.dimension(); }, encoder);
}

std::string_view encoder_name(const Encoder& encoder) {
  return std::visit([](const auto& part) { return std::string_view(part.kName); }, encoder);
}

Matrix<float> decision_values(const Encoder& encoder, const MatrixView& x, int threads) {
  Matrix<float> result(x.rows(), encoder_bits(encoder));
  for_each_block(encoder, x, threads, [&](Index begin, const Matrix<float>& values) {
    result.middleRows(begin, values.rows()) = values;
  });
  return result;
}

CodeMatrix encode(const Encoder& encoder, const MatrixView& x, int threads) {
  CodeMatrix codes(x.rows(), encoder_bits(encoder));
  const Index words_per_code = codes.words_per_code();
  const std::span<std::uint64_t> words = codes.mutable_words();
  if (const auto* linear = std::get_if<LinearEncoder>(&encoder)) {
    check_dimension(encoder, x);
    const PackedDirections directions(*linear);
    parallel_for(x.rows(), threads, kBlockRows, [&](Index begin, Index end) {
      directions.encode(x.middleRows(begin, end - begin), words.data() + begin * words_per_code);
    });
    return codes;
  }
  for_each_block(encoder, x, threads, [&](Index begin, const Matrix<float>& values) {
    for (Index row = 0; row < values.rows(); ++row) {
      for (Index word = 0; word < words_per_code; ++word) {
        const Index bits = std::min<Index>(64, values.cols() - 64 * word);
        words[static_cast<std::size_t>((begin + row) * words_per_code + word)] =
            pack_signs({&values(row, 64 * word), static_cast<std::size_t>(bits)});
      }
    }
  });
  return codes;
}

}  // namespace structhash
