#pragma once

#include <functional>
#include <optional>
#include <tuple>

#include "baselines/function_hasher.hpp"
#include "data/preprocess.hpp"
#include "hashing/families/leave_one_out.hpp"
#include "hashing/families/response_space.hpp"

/// The features that linear methods learn on.  `--functions kernel` gives each of them the radial
/// basis features of StructHash, with the same choice of width, ridge and dither, so that
/// comparisons are on equal terms (docs/adr/0024).
namespace structhash {

/// An empty optional is "auto": in closed form (hashing/families/leave_one_out.hpp).
struct FeatureParams {
  Functions functions = Functions::linear;
  Index anchors = 300;
  std::optional<double> width;
  double self_response = KernelParams{}.self_response;
  std::optional<double> ridge;
  double dither = 0.0;
};

/// The options of `features`, a member of the params of a method.
template <typename Params>
constexpr auto feature_options(FeatureParams Params::* features,
                               const FunctionSet& functions = kSmoothFunctions) {
  return std::tuple{
      Option{"functions", Nested{features, &FeatureParams::functions}, FunctionChoice{functions},
             "Hash functions: linear in the features, or in RBF kernel responses to anchors"},
      Option{"anchors", Nested{features, &FeatureParams::anchors}, at_least(1),
             "Maximum number of kernel anchors: training rows, or centres of clusters",
             kKernelFunctions},
      Option{"width", Nested{features, &FeatureParams::width}, above(0),
             "Kernel width sigma^2, as a multiple of the mean squared distance to the anchors",
             kKernelFunctions},
      Option{"self-response", Nested{features, &FeatureParams::self_response}, between(0, 1),
             "Response of an anchor to itself in training, from that of its nearest anchor (0) "
             "to 1",
             kKernelFunctions}};
}

/// The same for methods that learn from labels.
template <typename Params>
constexpr auto dithered_options(FeatureParams Params::* features,
                                const FunctionSet& functions = kSmoothFunctions) {
  return std::tuple_cat(
      feature_options(features, functions),
      std::tuple{Option{"dither", Nested{features, &FeatureParams::dither}, at_least(0),
                        "Size of the random function added to every hash function",
                        kSmoothFunctions}});
}

/// The same for methods that learn from labels with a ridge.
template <typename Params>
constexpr auto ridged_options(FeatureParams Params::* features,
                              const FunctionSet& functions = kSmoothFunctions) {
  return std::tuple_cat(
      std::tuple{Option{"ridge", Nested{features, &FeatureParams::ridge}, above(0),
                        "Ridge added to the variances of the features, relative to the largest",
                        kSmoothFunctions}},
      dithered_options(features, functions));
}

/// Anchors, width and own responses of kernel functions.
KernelParams choose_kernel(const MatrixView& x, const AutoTargets& targets,
                           const FeatureParams& params, const FitContext& context);

/// Learns linear functions of the rows of z, which are centred and have mean squared length 1:
/// small constants in a method mean the same on all data.
using LinearFit = std::function<LinearFunctions(const Matrix<float>& z)>;

/// Computes the features, fits on them, and folds the result into one encoder of raw vectors; with
/// the values of options that were auto under "chosen".
/// Methods that learn without labels pass none: an auto width is then the default of StructHash.
/// Throws Errc::usage when all rows are equal.
Fitted fit_on_features(const MatrixView& x, const Labels& labels, const FeatureParams& params,
                       const FitContext& context, const LinearFit& fit);

/// Principal components of the features.
struct RidgedFeatures {
  const Matrix<float>& z;           // rows x components, centred; columns do not correlate
  const Vector<double>& variances;  // of the columns, descending
  double ridge;                     // to be added to them
};

using RidgedFit = std::function<LinearFunctions(const RidgedFeatures& features)>;

/// The same on the features of StructHash itself, with a ridge and dither.
Fitted fit_on_components(const TrainingSet& data, const FeatureParams& params,
                         const FitContext& context, const RidgedFit& fit);

}  // namespace structhash
