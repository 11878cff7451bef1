#pragma once

#include <functional>
#include <string>

#include "data/preprocess.hpp"
#include "structhash/hashing/encoder.hpp"
#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// The features that linear methods learn on: `--functions kernel` gives each of them the same
/// radial basis features, so that comparisons are on equal terms.
namespace structhash {

struct FeatureOptions {
  std::string functions = "linear";  // of the features themselves, or "kernel": of RBF responses
  Index anchors = 300;               // kernel: at most so many training rows, drawn at random
  double width = 1.0;                // kernel: sigma^2 over the mean squared distance to anchors
};
void check(const FeatureOptions& options);

/// Reads `functions` and, for kernel functions, the options `anchors` and `width`.
FeatureOptions read_features(OptionReader& reader, const FeatureOptions& defaults = {});

/// Learns linear functions of the rows of z, which are centred and have mean squared length 1:
/// small constants in a method mean the same on all data.
using LinearFit = std::function<LinearFunctions(const Matrix<float>& z)>;

/// Makes the features, learns on them, and folds the result into one encoder of raw vectors.
/// Throws Errc::usage when all rows are equal.
Encoder fit_on_features(const MatrixView& x, const FeatureOptions& options,
                        const FitContext& context, const LinearFit& fit);

}  // namespace structhash
