#pragma once

#include <cmath>

namespace structhash {

/// exp(-t), t >= 0, by elementary operations in a fixed order: unlike the library's, the same bytes
/// on every processor.  e^-r = 1 - r/1 (1 - r/2 (1 - r/3 (...))) for the rest r < ln 2.
inline double decay(double t) {
  // NOLINTNEXTLINE(modernize-use-std-numbers): the upper half of ln 2, not all of it
  constexpr double kLn2High = 0x1.62e42fefa0000p-1;  // short: exact times a whole number
  constexpr double kLn2Low = 0x1.cf79abc9e3b3ap-40;
  if (!(t < 745.0)) {
    return 0.0;
  }
  const double halvings = std::floor(t / (kLn2High + kLn2Low));
  const double rest = t - halvings * kLn2High - halvings * kLn2Low;
  double sum = 1.0;
  for (int k = 18; k >= 1; --k) {
    sum = 1.0 - rest / k * sum;
  }
  return std::ldexp(sum, -static_cast<int>(halvings));
}

}  // namespace structhash
