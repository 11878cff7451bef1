#pragma once

#include <memory>

#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// Random hyperplanes in a kernel space (docs/methods.md C.11; Kulis, Grauman, ICCV 2009).
namespace structhash {

struct KlshParams {
  Index bits = 64;      // B >= 1
  Index anchors = 300;  // p, at most the training rows
  Index subset = 30;    // t: anchors whose sum makes one random direction; at most p
  double width = 1.0;   // sigma^2 over the mean squared distance of rows to anchors
};

void check(const KlshParams& params);

HashModel fit_klsh(const TrainingSet& data, const KlshParams& params, const FitContext& context);

/// Options: anchors, subset, width.
std::unique_ptr<Hasher> make_klsh(const MethodOptions& options);

}  // namespace structhash
