#pragma once

#include <memory>
#include <string_view>

#include "structhash/core/progress.hpp"
#include "structhash/core/rng.hpp"
#include "structhash/hashing/model.hpp"
#include "structhash/relevance/relevance_list.hpp"

/// What every method implements: one function that turns a training set into a model.
namespace structhash {

struct FitContext {
  Seed seed;
  int threads = 1;
  ProgressCallback on_progress;
};

/// StructHash and every baseline: holds hyper-parameters only, never learned state.
class Hasher {
 public:
  virtual ~Hasher() = default;
  virtual HashModel fit(const TrainingSet& data, const FitContext& context) const = 0;
};

}  // namespace structhash
