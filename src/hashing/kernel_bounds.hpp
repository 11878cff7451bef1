#pragma once

#include <algorithm>
#include <limits>

#include "structhash/core/types.hpp"

/// Bounds on the rounding errors of RBF responses.
namespace structhash {

constexpr Index kSlice = 128;  // terms of one float sum: its rounding grows with their number
constexpr double kFloatUnit = 0x1.0p-24;
constexpr double kDoubleUnit = 0x1.0p-53;

/// Additions that may round in one term of a sum of n terms made slice by slice.
inline double roundings(Index n, Index slice) {
  return to_double(std::min(n, slice) + n / slice + 1);
}

/// Bound on the relative error of a response exp(-gamma t), t = ||x||^2 + ||a||^2 - 2 x.a, when a
/// dot product rounds k times at unit u (Higham, Accuracy and Stability, sections 3.1 and 4.2):
///
///   |error of t| <= u (k/2 + 3) r^2,   r = ||x|| + ||a||,   as 4 ||x|| ||a|| <= r^2
///   response     =  exp(-gamma t) e^y,   |y| <= u (gamma r^2 (k/2 + 4) + 4)
///
/// with 4 units for exp itself; |e^y - 1| <= 1.01 |y| up to |y| = 1/100 and <= 2 |y| up to 1/2;
/// beyond it there is no bound.
inline double response_error(double unit, double roundings, double gamma, double reach) {
  const double y = 1.01 * unit * (gamma * reach * reach * (0.5 * roundings + 4.0) + 4.0);
  if (y <= 0.01) {
    return 1.01 * y;
  }
  return y <= 0.5 ? 2.0 * y : std::numeric_limits<double>::infinity();
}

}  // namespace structhash
