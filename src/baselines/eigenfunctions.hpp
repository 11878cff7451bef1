#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "baselines/component_ranges.hpp"
#include "structhash/core/parallel.hpp"

/// Smooth functions of one principal component each, for MDSH.
namespace structhash {

struct Eigenfunction {
  double weight = 0.0;         // eigenvalue of the affinity, < 1
  std::int32_t component = 0;  // of the ranges
  Vector<double> values;       // at the centres of equally wide bins of the component's range
};

/// The eigenfunctions of all components under the affinity exp(-distance^2 / (2 sigma^2)), the
/// constants left out, largest weight first; at most `count`.
std::vector<Eigenfunction> leading_eigenfunctions(const ComponentRanges& ranges, Index bins,
                                                  double sigma, Index count, Threads threads);

/// Value of a function given at equally spaced points of [first, last], cut to that range.
double interpolate(const Vector<double>& values, double first, double last, double at);

/// Width of a bin of [low, high].
inline double bin_width(float low, float high, Index bins) {
  return (static_cast<double>(high) - static_cast<double>(low)) / to_double(bins);
}

}  // namespace structhash
