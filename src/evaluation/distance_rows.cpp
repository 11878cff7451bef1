#include "evaluation/distance_rows.hpp"

#include <algorithm>
#include <vector>

#include "evaluation/simd/xor_popcount.hpp"

namespace structhash {

void hamming_row(const CodeMatrix& database, CodeView query, std::span<std::uint16_t> distances) {
  constexpr std::size_t kBlock = 4096;  // codes whose counts stay in the first-level cache
  const std::size_t words = query.size();
  std::vector<std::uint8_t> counts(std::min(kBlock, distances.size()) * words);
  for (std::size_t begin = 0; begin < distances.size(); begin += kBlock) {
    const std::size_t rows = std::min(kBlock, distances.size() - begin);
    xor_popcount(database.words().data() + begin * words, rows * words, query.data(), words,
                 counts.data());
    if (words == 1) {  // by far the most common length: a copy the compiler vectorises
      std::copy_n(counts.begin(), rows, distances.begin() + static_cast<std::ptrdiff_t>(begin));
      continue;
    }
    for (std::size_t row = 0; row < rows; ++row) {
      unsigned sum = 0;
      for (std::size_t word = 0; word < words; ++word) {
        sum += counts[row * words + word];
      }
      distances[begin + row] = static_cast<std::uint16_t>(sum);
    }
  }
}

void weighted_row(const CodeMatrix& database, CodeView query, const WeightTable& weights,
                  std::span<float> distances) {
  const std::size_t words = query.size();
  const std::uint64_t* code = database.words().data();
  for (float& distance : distances) {
    float sum = 0.0F;
    const float* byte_sums = weights.entries().data();
    for (std::size_t word = 0; word < words; ++word) {
      const std::uint64_t difference = code[word] ^ query[word];
      for (unsigned byte = 0; byte < 8; ++byte) {
        sum += byte_sums[256 * byte + ((difference >> (8 * byte)) & 0xFFU)];
      }
      byte_sums += std::size_t{8} * 256;
    }
    distance = sum;
    code += words;
  }
}

}  // namespace structhash
