#pragma once

#include "hashing/functions.hpp"

/// Defaults of hash functions over whitened features, by family: the one place of these numbers.
namespace structhash {

struct WhitenedDefaults {
  double ridge;        // of the soft whitening, relative to the largest variance
  double power;        // how sharply the whitening fades out
  double penalty;      // rho on directions (families/smooth.hpp)
  double width;        // of the kernel: sigma^2 over the mean squared distance of rows to anchors
  int spectral_steps;  // families/smooth.hpp
  int iterations;
  double ridge_per_regression = 1.0;  // over that of the best regression on the same features
};

inline constexpr double kKernelWidth = 0.25;
inline constexpr WhitenedDefaults kLinearDefaults{.ridge = 0.02,
                                                  .power = 3.0,
                                                  .penalty = 0.2,
                                                  .width = kKernelWidth,
                                                  .spectral_steps = 10,
                                                  .iterations = 20,
                                                  .ridge_per_regression = 14.0};
/// For 2,000 rows or fewer (docs/adr/0009).
inline constexpr WhitenedDefaults kKernelDefaults{.ridge = 6e-5,
                                                  .power = 1.0,
                                                  .penalty = 0.3,
                                                  .width = kKernelWidth,
                                                  .spectral_steps = 3,
                                                  .iterations = 16};
/// The linear bit that boosted trees start from.
inline constexpr WhitenedDefaults kTreeStartDefaults{.ridge = 0.01,
                                                     .power = 3.0,
                                                     .penalty = 0.3,
                                                     .width = kKernelWidth,
                                                     .spectral_steps = 10,
                                                     .iterations = 20};

constexpr const WhitenedDefaults& defaults_of(Functions functions) {
  return functions == Functions::kernel ? kKernelDefaults : kLinearDefaults;
}

}  // namespace structhash
