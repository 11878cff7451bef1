#pragma once

#include <array>
#include <vector>

#include "structhash/core/types.hpp"

namespace structhash::features {

/// cos(pi k (2x + 1) / 2n) and the same with sin: row x = 0..n-1, column k = 0..n-1.  The basis
/// of signals that are mirrored at both ends.
struct Waves {
  explicit Waves(Index n);

  Matrix<float> cosines;
  Matrix<float> sines;
  Matrix<float> cosines_transposed;
  Matrix<float> sines_transposed;
};

/// n x n matrix of the low-pass filter exp(-ln 2 (f / cutoff)^2), f in cycles per pixel, for
/// mirrored signals of n numbers.
Matrix<float> low_pass(Index n, double cutoff);

/// The waves of one part of a filter, along y and along x.
enum class Parity { cos_cos, sin_sin, cos_sin, sin_cos };
inline constexpr std::array kParities{Parity::cos_cos, Parity::sin_sin, Parity::cos_sin,
                                      Parity::sin_cos};
constexpr bool sine_in_y(Parity parity) {
  return parity == Parity::sin_sin || parity == Parity::sin_cos;
}
constexpr bool sine_in_x(Parity parity) {
  return parity == Parity::sin_sin || parity == Parity::cos_sin;
}

/// The parts of one parity of all filters of a scale.
struct FilterParts {
  /// The part of filter j, or -1 if that part is zero everywhere.
  std::vector<Index> part_of_filter;
  Index count = 0;
  Matrix<float> weights;  // frequencies in y x (parts * frequencies in x)
};

/// The filters of one scale, for orientations j = 0..J/2 only: orientation J - j is the mirror
/// image of j, and its response has the same four parts with other signs.
struct ScaleFilters {
  Index y_frequencies = 0;  // higher frequencies are cut off: their weights are below 1e-6
  Index x_frequencies = 0;
  std::array<FilterParts, kParities.size()> parts;  // in the order of kParities
};

struct ImageSize {
  Index height = 0;
  Index width = 0;
};

ScaleFilters make_scale(Index scale, Index orientations, ImageSize size);

}  // namespace structhash::features
