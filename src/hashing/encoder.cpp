#include "structhash/hashing/encoder.hpp"

#include <fmt/format.h>

#include "hashing/kernel_signs.hpp"
#include "hashing/linear_signs.hpp"
#include "hashing/pack_signs.hpp"
#include "structhash/core/error.hpp"
#include "structhash/core/parallel.hpp"

namespace structhash {
namespace {

constexpr Index kBlockRows = 256;    // large enough for BLAS, small enough for the cache
constexpr Index kPackedRows = 1024;  // of which few need double precision

void check_dimension(const Encoder& encoder, const MatrixView& x) {
  if (x.cols() != encoder_dimension(encoder)) {
    fail(Errc::bad_data, fmt::format("features have {} columns; this model expects {}", x.cols(),
                                     encoder_dimension(encoder)));
  }
}

/// Calls use(begin, values of rows begin..) for every block of rows.
template <typename Use>
void for_each_block(const Encoder& encoder, const MatrixView& x, Threads threads, const Use& use) {
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

Encoder first_bits(const Encoder& encoder, Index count) {
  require(count >= 1 && count <= encoder_bits(encoder),
          fmt::format("bits must be 1 to {}, the bits of the model, got {}", encoder_bits(encoder),
                      count));
  return std::visit([&](const auto& part) -> Encoder { return part.first_bits(count); }, encoder);
}

Matrix<float> decision_values(const Encoder& encoder, const MatrixView& x, Threads threads) {
  Matrix<float> result(x.rows(), encoder_bits(encoder));
  for_each_block(encoder, x, threads, [&](Index begin, const Matrix<float>& values) {
    result.middleRows(begin, values.rows()) = values;
  });
  return result;
}

CodeMatrix encode(const Encoder& encoder, const MatrixView& x, Threads threads) {
  CodeMatrix codes(x.rows(), encoder_bits(encoder));
  const Index words_per_code = codes.words_per_code();
  std::uint64_t* words = codes.mutable_words().data();
  const auto encode_packed = [&](const auto& packed) {
    check_dimension(encoder, x);
    parallel_for(x.rows(), threads, kPackedRows, [&](Index begin, Index end) {
      packed.encode(x.middleRows(begin, end - begin), words + begin * words_per_code);
    });
  };
  if (const auto* linear = std::get_if<LinearEncoder>(&encoder)) {
    encode_packed(PackedDirections(*linear));
  } else if (const auto* kernel = std::get_if<KernelEncoder>(&encoder)) {
    encode_packed(PackedKernel(*kernel));
  } else {
    for_each_block(encoder, x, threads, [&](Index begin, const Matrix<float>& values) {
      for (Index row = 0; row < values.rows(); ++row) {
        pack_row(values, row, words + (begin + row) * words_per_code);
      }
    });
  }
  return codes;
}

}  // namespace structhash
