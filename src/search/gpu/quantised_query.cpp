#include "search/gpu/quantised_query.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace structhash::search::gpu {
namespace {

constexpr double kMostMagnitude = 127.0;

/// The weight that 127 stands for: the largest, unless it is above `near`, or above what a distance
/// of random codes comes to when heavier weights are cut off, half their sum.  Any value is
/// correct; this one leaves small weights their resolution.
double cut(std::span<const float> bit_weights, float near) {
  double largest = 0.0;
  double smallest = std::numeric_limits<double>::infinity();  // above 0
  for (const double weight : bit_weights) {
    largest = std::max(largest, weight);
    smallest = weight > 0.0 ? std::min(smallest, weight) : smallest;
  }
  double at = largest;
  if (std::isfinite(near)) {
    at = std::min(at, 1.02 * near);  // a heavier weight is then above the limit, after rounding too
  } else {
    constexpr int kRounds = 100;
    for (int round = 0; round < kRounds; ++round) {
      const double sum = std::accumulate(
          bit_weights.begin(), bit_weights.end(), 0.0,
          [at](double total, double weight) { return total + std::min(weight, at); });
      if (0.5 * sum >= 0.98 * at) {
        break;
      }
      at = 0.5 * sum;
    }
  }
  return std::max(at, smallest);
}

Index padded(std::size_t bits) {
  return (static_cast<Index>(bits) + 63) / 64 * 64;
}

}  // namespace

Key key_of(float distance, Index row) {
  return (Key{std::bit_cast<std::uint32_t>(distance)} << 32U) | static_cast<Key>(row);
}

Neighbour neighbour_of(Key key) {
  return {.distance = std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32U)),
          .row = static_cast<Index>(key & 0xFFFFFFFFU)};
}

QuantisedWeights quantise_weights(std::span<const float> bit_weights, float near) {
  QuantisedWeights quantised;
  quantised.magnitudes.resize(static_cast<std::size_t>(padded(bit_weights.size())));
  const double most = cut(bit_weights, near);
  if (!std::isfinite(most)) {  // all weights are zero, and so are all distances
    return quantised;
  }
  const double scale = most / kMostMagnitude;
  for (std::size_t bit = 0; bit < bit_weights.size(); ++bit) {
    const double weight = bit_weights[bit];
    double magnitude = std::min(kMostMagnitude, std::floor(weight / scale));
    magnitude -= scale * magnitude > weight ? 1.0 : 0.0;  // the quotient was rounded up
    quantised.magnitudes[bit] = static_cast<std::int8_t>(magnitude);
  }
  const auto words = static_cast<double>(padded(bit_weights.size()) / 64);
  quantised.factor = (1.0 + (8.0 * words + 64.0) * 0x1p-22) / scale;
  return quantised;
}

QuantisedWeights quantise_plain(Index bits) {
  QuantisedWeights quantised;
  quantised.magnitudes.resize(static_cast<std::size_t>(padded(static_cast<std::size_t>(bits))));
  std::fill_n(quantised.magnitudes.begin(), bits, std::int8_t{1});
  return quantised;
}

std::int32_t limit_of(Key bound, Index first_row, double factor, std::int32_t largest) {
  if (bound == kNoKey) {
    return largest;
  }
  const auto bits = static_cast<std::uint32_t>(bound >> 32U);
  const bool ties_lose = neighbour_of(bound).row < first_row;
  if (ties_lose && bits == 0) {
    return -1;
  }
  const float distance = std::bit_cast<float>(bits - (ties_lose ? 1U : 0U));
  const double limit = std::floor(factor * distance);
  return limit < largest ? static_cast<std::int32_t>(limit) : largest;
}

void QueryBatch::add(CodeView code, const QuantisedWeights& quantised) {
  ++queries;
  words = std::ssize(code);
  codes.insert(codes.end(), code.begin(), code.end());
  std::int32_t offset = 0;
  std::int32_t sum = 0;
  for (std::size_t bit = 0; bit < quantised.magnitudes.size(); ++bit) {
    const std::int8_t magnitude = quantised.magnitudes[bit];
    const bool set = ((code[bit / 64] >> (bit % 64)) & 1U) != 0;
    coefficients.push_back(set ? static_cast<std::int8_t>(-magnitude) : magnitude);
    offset += set ? magnitude : 0;
    sum += magnitude;
  }
  offsets.push_back(offset);
  largest.push_back(sum);
  factors.push_back(quantised.factor);
  bounds.push_back(kNoKey);
  nearest.emplace_back();
}

}  // namespace structhash::search::gpu
