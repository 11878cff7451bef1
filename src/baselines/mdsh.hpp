#pragma once

#include <memory>

#include "structhash/hashing/hasher.hpp"
#include "structhash/hashing/method_options.hpp"

/// Multidimensional spectral hashing (docs/methods.md C.3; Weiss, Fergus, Torralba, ECCV 2012).
namespace structhash {

struct MdshParams {
  Index bits = 64;         // B >= 1
  double width = 1.0;      // sigma over the mean distance to the nearest neighbours
  Index neighbours = 100;  // how many neighbours that mean is over, at most the other rows
};

void check(const MdshParams& params);

HashModel fit_mdsh(const TrainingSet& data, const MdshParams& params, const FitContext& context);

/// Options: width, neighbours.
std::unique_ptr<Hasher> make_mdsh(const MethodOptions& options);

}  // namespace structhash
