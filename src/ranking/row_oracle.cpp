#include "ranking/row_oracle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ranking/simd/kernels.hpp"
#include "structhash/core/error.hpp"

namespace structhash {
namespace {

[[noreturn]] void fail_not_finite(std::span<const float> distances, std::size_t items) {
  const auto bad = std::ranges::find_if_not(distances, [](float x) { return std::isfinite(x); });
  const auto at = static_cast<std::size_t>(bad - distances.begin());
  fail(Errc::usage,
       fmt::format("most_violated_batch: the distance of item {} of list {} is {}; distances must "
                   "be finite",
                   at % items + 1, at / items + 1, *bad));
}

}  // namespace

void most_violated_batch(const GainTable& gains, std::span<const float> distances,
                         std::span<std::uint16_t> inversions, std::span<double> losses) {
  const auto relevant = static_cast<std::size_t>(gains.relevant());
  const auto irrelevant = static_cast<std::size_t>(gains.irrelevant());
  const std::size_t expected = losses.size() * (relevant + irrelevant);
  if (distances.size() != expected || inversions.size() != expected) {
    fail(Errc::usage,
         fmt::format("most_violated_batch: {} lists of {} + {} items need {} distances "
                     "and as many inversions, there are {} and {}",
                     losses.size(), relevant, irrelevant, expected, distances.size(),
                     inversions.size()));
  }
  const simd::ListBatch batch{.distances = distances.data(),
                              .inversions = inversions.data(),
                              .losses = losses.data(),
                              .lists = losses.size(),
                              .relevant = relevant,
                              .irrelevant = irrelevant};
  const bool finite =
      gains.counts_pairs()
          ? simd::most_violated_pairs(batch)
          : simd::most_violated_programme(batch, gains.gains().data(), gains.pair_gains().data());
  if (!finite) {
    fail_not_finite(distances, relevant + irrelevant);
  }
}

}  // namespace structhash
