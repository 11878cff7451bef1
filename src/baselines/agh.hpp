#pragma once

#include <memory>

#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// Anchor graph hashing (docs/methods.md C.4; Liu, Wang, Kumar, Chang, ICML 2011).
namespace structhash {

struct AghParams {
  Index bits = 64;        // B >= 1
  Index layers = 2;       // thresholds per eigenvector: 1 or 2
  Index anchors = 0;      // m; 0: 300, or half of the training rows if those are fewer
  Index neighbours = 2;   // s <= m: anchors a row belongs to
  Index iterations = 10;  // of k-means, which places the anchors
};

void check(const AghParams& params);

HashModel fit_agh(const TrainingSet& data, const AghParams& params, const FitContext& context);

/// Two layers and one.  Options: anchors, neighbours, iterations.
std::unique_ptr<Hasher> make_agh(const MethodOptions& options);
std::unique_ptr<Hasher> make_agh1(const MethodOptions& options);

}  // namespace structhash
