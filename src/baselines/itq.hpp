#pragma once

#include <memory>

#include "baselines/kernel_features.hpp"
#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// Iterative quantisation of principal components (docs/methods.md C.6; Gong, Lazebnik, CVPR 2011).
namespace structhash {

struct ItqParams {
  Index bits = 64;        // B >= 1
  Index iterations = 50;  // of the rotation, at most
  FeatureOptions features;
};

void check(const ItqParams& params);

/// With more bits than components, B components of which the missing ones are zero are rotated.
HashModel fit_itq(const TrainingSet& data, const ItqParams& params, const FitContext& context);

/// Options: iterations, functions and those of kernel functions.
std::unique_ptr<Hasher> make_itq(const MethodOptions& options);

}  // namespace structhash
