#include "report/paired_difference.hpp"

#include <algorithm>
#include <cmath>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

constexpr double kNormalQuantile = 1.959963984540054;  // 97.5 % of a standard normal

/// The differences of one seed.
struct SeedDifference {
  double mean = 0.0;
  double squared_error = 0.0;  // of the mean: v / n
  Index queries = 0;
};

SeedDifference difference_of(const std::vector<float>& a, const std::vector<float>& b) {
  require(a.size() == b.size(), "paired values need as many queries on both sides");
  SeedDifference seed;
  double squares = 0.0;
  for (std::size_t q = 0; q < a.size(); ++q) {
    const double difference = static_cast<double>(a[q]) - static_cast<double>(b[q]);
    if (std::isnan(difference)) {
      continue;
    }
    ++seed.queries;
    const double from_old_mean = difference - seed.mean;  // Welford's update
    seed.mean += from_old_mean / to_double(seed.queries);
    squares += from_old_mean * (difference - seed.mean);
  }
  if (seed.queries > 1) {
    seed.squared_error = squares / (to_double(seed.queries) - 1.0) / to_double(seed.queries);
  }
  return seed;
}

}  // namespace

/// With D_s the mean difference of seed s over its n_s queries, v_s their variance (n_s - 1 below
/// the line), S seeds:
///
///   D  = 1/S sum_s D_s
///   V  = 1/S sum_s v_s / n_s                what drawing other queries would change in one D_s
///   B  = 1/(S - 1) sum_s (D_s - D)^2        what drawing another seed changes: queries and
///   training SE^2 = ( V + max(0, B - V) ) / S        the variance between seeds, B - V, is never
///   negative
///
/// and the interval is D -+ 1.96 SE.  With one seed SE^2 = V: training again is then not covered.
PairedDifference paired_difference(std::span<const std::vector<float>> a,
                                   std::span<const std::vector<float>> b) {
  require(a.size() == b.size(), "paired values need as many seeds on both sides");
  std::vector<SeedDifference> seeds;
  PairedDifference result;
  for (std::size_t s = 0; s < a.size(); ++s) {
    const SeedDifference seed = difference_of(a[s], b[s]);
    if (seed.queries > 0) {
      seeds.push_back(seed);
      result.queries += seed.queries;
      result.mean += seed.mean;
    }
  }
  if (result.queries < 2) {
    fail(Errc::bad_data, "two methods cannot be compared by fewer than two queries");
  }
  result.seeds = std::ssize(seeds);
  const double count = to_double(result.seeds);
  result.mean /= count;
  double within = 0.0;
  double between = 0.0;
  for (const SeedDifference& seed : seeds) {
    within += seed.squared_error / count;
    between += (seed.mean - result.mean) * (seed.mean - result.mean);
  }
  between = seeds.size() > 1 ? between / (count - 1.0) : 0.0;
  const double error = std::sqrt((within + std::max(0.0, between - within)) / count);
  result.low = result.mean - kNormalQuantile * error;
  result.high = result.mean + kNormalQuantile * error;
  return result;
}

}  // namespace structhash
