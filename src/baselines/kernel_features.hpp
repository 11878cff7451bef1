#pragma once

#include <functional>
#include <tuple>

#include "data/preprocess.hpp"
#include "hashing/option_table.hpp"
#include "structhash/hashing/encoder.hpp"
#include "structhash/hashing/hasher.hpp"

/// The features that linear methods learn on: `--functions kernel` gives each of them the same
/// radial basis features, so that comparisons are on equal terms.
namespace structhash {

struct FeatureParams {
  Functions functions = Functions::linear;
  Index anchors = 300;
  double width = 1.0;
};

/// The options of `features`, a member of the params of a method.
template <typename Params>
constexpr auto feature_options(FeatureParams Params::* features) {
  return std::tuple{
      Option{"functions", Nested{features, &FeatureParams::functions},
             FunctionChoice{kSmoothFunctions},
             "Hash functions: linear in the features, or in RBF kernel responses to anchors"},
      Option{"anchors", Nested{features, &FeatureParams::anchors}, at_least(1),
             "Maximum number of anchors: training rows drawn at random", kKernelFunctions},
      Option{"width", Nested{features, &FeatureParams::width}, above(0),
             "Kernel width sigma^2, as a multiple of the mean squared distance to the anchors",
             kKernelFunctions}};
}

/// Learns linear functions of the rows of z, which are centred and have mean squared length 1:
/// small constants in a method mean the same on all data.
using LinearFit = std::function<LinearFunctions(const Matrix<float>& z)>;

/// Computes the features, fits on them, and folds the result into one encoder of raw vectors.
/// Throws Errc::usage when all rows are equal.
Encoder fit_on_features(const MatrixView& x, const FeatureParams& params, const FitContext& context,
                        const LinearFit& fit);

}  // namespace structhash
