#pragma once

#include <algorithm>
#include <cmath>

#include "structhash/core/types.hpp"

namespace structhash {

/// sum of 1/r over the ranks after `before` up to `last`, to full precision in constant time.
///
/// Short sums are added up.  Long ones start so far down that Euler's expansion of the harmonic
/// numbers holds, H(r) = ln r + C + 1/(2r) - 1/(12r^2) + 1/(120r^4) - 1/(252r^6) + 1/(240r^8),
/// with an error below 1e-17 from r = 32 on.  Taking the difference term by term keeps the digits
/// that H(last) - H(before) would lose; no table, so nothing grows with the database.
inline double reciprocal_sum(Index before, Index last) {
  constexpr Index kFewTerms = 16;
  constexpr Index kExpansionHolds = 32;
  double sum = 0.0;
  const Index added = last - before <= kFewTerms ? last : std::min(last, kExpansionHolds);
  Index done = before;
  for (; done < added; ++done) {
    sum += 1.0 / to_double(done + 1);
  }
  if (done == last) {
    return sum;
  }
  const double a = 1.0 / to_double(done);
  const double b = 1.0 / to_double(last);
  const double a2 = a * a;
  const double b2 = b * b;
  const double tail = (b - a) / 2.0 - (b2 - a2) / 12.0 + (b2 * b2 - a2 * a2) / 120.0 -
                      (b2 * b2 * b2 - a2 * a2 * a2) / 252.0 +
                      (b2 * b2 * b2 * b2 - a2 * a2 * a2 * a2) / 240.0;
  return sum + (std::log1p(to_double(last - done) * a) + tail);
}

}  // namespace structhash
