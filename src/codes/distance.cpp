#include "structhash/codes/distance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "structhash/core/error.hpp"

namespace structhash {

Index hamming(CodeView a, CodeView b) {
  require(a.size() == b.size(), "hamming: the codes have different lengths");
  Index different = 0;
  for (std::size_t word = 0; word < a.size(); ++word) {
    different += std::popcount(a[word] ^ b[word]);
  }
  return different;
}

/// table[256 byte + pattern] = sum of the weights of the bits set in `pattern`, lowest bit first:
/// the entry without the highest bit, plus the weight of that bit.
WeightTable::WeightTable(std::span<const float> bit_weights)
    : bits_(std::ssize(bit_weights)), table_((bit_weights.size() + 63) / 64 * 8 * 256) {
  float total = 0.0F;
  for (std::size_t bit = 0; bit < bit_weights.size(); ++bit) {
    const float weight = bit_weights[bit];
    if (!std::isfinite(weight) || weight < 0.0F) {
      fail(Errc::usage,
           fmt::format("weight of bit {} is {}; bit weights must be finite and at least 0", bit,
                       weight));
    }
    total += weight;
    float* byte_sums = table_.data() + bit / 8 * 256;
    const std::size_t highest = std::size_t{1} << (bit % 8);
    for (std::size_t pattern = highest; pattern < 2 * highest; ++pattern) {
      byte_sums[pattern] = byte_sums[pattern - highest] + weight;
    }
  }
  require(std::isfinite(total), "the bit weights add up to more than a float can hold");
}

float WeightTable::distance(CodeView a, CodeView b) const {
  require(a.size() * 8 * 256 == table_.size() && b.size() == a.size(),
          "weighted distance: codes and weights have different lengths");
  float sum = 0.0F;
  const float* byte_sums = table_.data();
  for (std::size_t word = 0; word < a.size(); ++word) {
    std::uint64_t difference = a[word] ^ b[word];
    for (int byte = 0; byte < 8; ++byte) {
      sum += byte_sums[difference & 0xFFU];
      difference >>= 8U;
      byte_sums += 256;
    }
  }
  return sum;
}

BitWeights::BitWeights(std::span<const float> bit_weights) : bits_(std::ssize(bit_weights)) {
  if (!bit_weights.empty()) {
    common_ = std::make_shared<const WeightTable>(bit_weights);
  }
}

BitWeights BitWeights::of_queries(const Matrix<float>& values) {
  BitWeights weights;
  weights.values_ = {values.data(), static_cast<std::size_t>(values.size())};
  weights.queries_ = values.rows();
  weights.bits_ = values.cols();
  return weights;
}

void BitWeights::check(Index queries, Index bits) const {
  require(plain() || bits_ == bits,
          fmt::format("{} bit weights were given for codes of {} bits", bits_, bits));
  require(values_.empty() || queries_ == queries,
          fmt::format("bit weights were given for {} queries, there are {}", queries_, queries));
}

std::shared_ptr<const WeightTable> BitWeights::table(Index query) const {
  if (values_.empty()) {
    return common_;
  }
  const auto own =
      values_.subspan(static_cast<std::size_t>(query * bits_), static_cast<std::size_t>(bits_));
  std::vector<float> weights;
  std::ranges::transform(own, std::back_inserter(weights), [](float v) { return std::abs(v); });
  return std::make_shared<const WeightTable>(weights);
}

}  // namespace structhash
