#pragma once

#include "baselines/function_hasher.hpp"

/// Spherical hashing (docs/methods.md C.5; Heo, Lee, He, Chang, Yoon, CVPR 2012).
namespace structhash {

/// Training stops when the overlaps of balls meet both tolerances.
struct SpherParams {
  Index bits = 64;
  Index iterations = 100;
  double mean_tolerance = 0.1;
  double spread_tolerance = 0.15;
};
inline constexpr std::tuple kSpherOptions{
    bits_option(&SpherParams::bits),
    Option{"iterations", &SpherParams::iterations, at_least(0),
           "Maximum number of iterations; the tolerances may never be met"},
    Option{"mean-tolerance", &SpherParams::mean_tolerance, at_least(0),
           "Stop when the mean error of the overlaps is this small, relative to n/4"},
    Option{"spread-tolerance", &SpherParams::spread_tolerance, at_least(0),
           "Stop when the standard deviation of the overlaps is this small, relative to n/4"}};

HashModel fit_spher(const TrainingSet& data, const SpherParams& params, const FitContext& context);

}  // namespace structhash
