#pragma once

#include <memory>

#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// Spherical hashing (docs/methods.md C.5; Heo, Lee, He, Chang, Yoon, CVPR 2012).
namespace structhash {

struct SpherParams {
  Index bits = 64;                 // B >= 1
  Index iterations = 100;          // at most; the test below may never be met
  double mean_tolerance = 0.1;     // stop when the overlaps are this near to n/4 in the mean ...
  double spread_tolerance = 0.15;  // ... and their standard deviation is this small, in n/4
};

void check(const SpherParams& params);

HashModel fit_spher(const TrainingSet& data, const SpherParams& params, const FitContext& context);

/// Options: iterations, mean-tolerance, spread-tolerance.
std::unique_ptr<Hasher> make_spher(const MethodOptions& options);

}  // namespace structhash
