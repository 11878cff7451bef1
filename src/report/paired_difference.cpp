#include "report/paired_difference.hpp"

#include <array>
#include <cmath>

#include "structhash/core/error.hpp"

namespace structhash {
namespace {

/// The differences of one seed.
struct SeedDifference {
  double mean = 0.0;
  Index queries = 0;
};

SeedDifference difference_of(const std::vector<float>& a, const std::vector<float>& b) {
  require(a.size() == b.size(), "paired values need as many queries on both sides");
  SeedDifference seed;
  for (std::size_t q = 0; q < a.size(); ++q) {
    const double difference = static_cast<double>(a[q]) - static_cast<double>(b[q]);
    if (!std::isnan(difference)) {
      ++seed.queries;
      seed.mean += (difference - seed.mean) / to_double(seed.queries);
    }
  }
  return seed;
}

}  // namespace

/// Above ten degrees of freedom n: the expansion around the normal quantile z in powers of 1/n
/// (Fisher and Cornish), to 2e-4.
double student_quantile(Index degrees) {
  constexpr std::array kQuantiles{12.7062047, 4.3026527, 3.1824463, 2.7764451, 2.5705818,
                                  2.4469119,  2.3646243, 2.3060041, 2.2621572, 2.2281389};
  require(degrees >= 1, "Student's t needs at least one degree of freedom");
  if (degrees <= std::ssize(kQuantiles)) {
    return kQuantiles[static_cast<std::size_t>(degrees - 1)];
  }
  constexpr double z = 1.959963984540054;
  constexpr double z2 = z * z;
  const double n = to_double(degrees);
  return z + z * (z2 + 1.0) / (4.0 * n) + z * ((5.0 * z2 + 16.0) * z2 + 3.0) / (96.0 * n * n) +
         z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / (384.0 * n * n * n);
}

/// With D_s the mean difference of seed s over its queries and S seeds:
///
///   D  = 1/S sum_s D_s
///   B  = 1/(S - 1) sum_s (D_s - D)^2        what another seed changes: queries and training
///
/// and the interval is D -+ t sqrt(B / S), t the 97.5 % quantile of Student's t with S - 1 degrees
/// of freedom.
PairedDifference paired_difference(std::span<const std::vector<float>> a,
                                   std::span<const std::vector<float>> b) {
  require(a.size() == b.size(), "paired values need as many seeds on both sides");
  PairedDifference result;
  double squares = 0.0;
  for (std::size_t s = 0; s < a.size(); ++s) {
    const SeedDifference seed = difference_of(a[s], b[s]);
    if (seed.queries > 0) {
      ++result.seeds;
      result.queries += seed.queries;
      const double from_old_mean = seed.mean - result.mean;  // Welford's update
      result.mean += from_old_mean / to_double(result.seeds);
      squares += from_old_mean * (seed.mean - result.mean);
    }
  }
  if (result.queries < 2) {
    fail(Errc::bad_data, "two methods cannot be compared by fewer than two queries");
  }
  if (result.seeds > 1) {
    const double degrees = to_double(result.seeds - 1);
    result.margin =
        student_quantile(result.seeds - 1) * std::sqrt(squares / degrees / to_double(result.seeds));
  }
  return result;
}

}  // namespace structhash
