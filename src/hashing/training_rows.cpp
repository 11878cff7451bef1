#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "structhash/hashing/model.hpp"

namespace structhash {
namespace {

constexpr std::uint64_t kMaxBits = 1U << 15U;
constexpr double kMaxSample = 22'700.0;  // rows that set half of kMaxBits bits

struct RowHash {
  double sample;           // uniform in [0, 1): decides whether the row is in the sample
  std::uint64_t position;  // bit of the filter
};

RowHash hash_of(std::span<const float> row, std::size_t words) {
  const std::uint64_t hash = XXH3_64bits(row.data(), row.size_bytes());
  return {.sample = std::ldexp(static_cast<double>(hash >> 32U), -32),
          .position = hash & (64 * words - 1)};
}

double sample_rate(Index count) {
  return std::min(1.0, kMaxSample / to_double(count));
}

}  // namespace

TrainingRows remember_rows(const MatrixView& x, Index count) {
  const auto wanted = std::bit_ceil(4 * static_cast<std::uint64_t>(std::max<Index>(count, 16)));
  TrainingRows training{.count = count, .filter = {}};
  training.filter.resize(static_cast<std::size_t>(std::min(wanted, kMaxBits) / 64));
  for (Index i = 0; i < x.rows(); ++i) {
    const RowHash hash =
        hash_of({x.row(i).data(), static_cast<std::size_t>(x.cols())}, training.filter.size());
    if (hash.sample < sample_rate(count)) {
      training.filter[hash.position / 64] |= std::uint64_t{1} << (hash.position % 64);
    }
  }
  return training;
}

RowMatch match(const TrainingRows& training, std::span<const float> row) {
  if (training.filter.empty()) {
    return RowMatch::not_sampled;
  }
  const RowHash hash = hash_of(row, training.filter.size());
  if (hash.sample >= sample_rate(training.count)) {
    return RowMatch::not_sampled;
  }
  return (training.filter[hash.position / 64] >> (hash.position % 64) & 1U) != 0 ? RowMatch::present
                                                                                 : RowMatch::absent;
}

/// With the share f of bits that are set, other rows match with probability f: of m rows with h
/// matches, s = (h / m - f) / (1 - f) are training rows.
double share_of_training_rows(const TrainingRows& training, std::span<const RowMatch> rows) {
  constexpr double kStandardErrors = 4.0;
  constexpr double kMinShare = 0.05;
  const auto hits = static_cast<double>(std::ranges::count(rows, RowMatch::present));
  const double sampled = hits + static_cast<double>(std::ranges::count(rows, RowMatch::absent));
  double bits = 0.0;
  for (const std::uint64_t word : training.filter) {
    bits += std::popcount(word);
  }
  const double by_chance = bits / (64.0 * static_cast<double>(training.filter.size()));
  if (sampled == 0.0 || by_chance <= 0.0 || by_chance >= 1.0) {
    return 0.0;
  }
  const double excess = hits - sampled * by_chance;
  const double error = std::sqrt(sampled * by_chance * (1.0 - by_chance));
  const double share = excess / (sampled * (1.0 - by_chance));
  return excess > kStandardErrors * error && share >= kMinShare ? share : 0.0;
}

}  // namespace structhash
